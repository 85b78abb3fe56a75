// paver_top: hands the CTAs of a launch to the SMs, group by group, and lets idle SMs steal. csim/hw/twins/paver.h says
// more.
//
// Latency     a CTA taken in cycle t: the request for its successor is on req_o in t + 2, if no other comes before it.
//             A response in cycle u: its CTA is on tb_o in u + 1, its group's first request on req_o in u + 2. A
//             recipient chosen in cycle t: ev_steal_o in t + SMS + PTR_W + 2.
// Throughput  a request a cycle, a CTA an SM and memory latency.
// Handshake   cfg, tb (an SM each) and req: ready/valid. cfg_ready_o: all CTAs are handed out, nothing is on its way.
//             Responses are always taken, in any order. All outputs depend on registers alone. Without busy_o, a valid
//             input or a taken CTA no register moves.
// Source      paver, section 5 (Figures 8 and 9, Algorithm 2)
`default_nettype none
module paver_top #(
    parameter SMS   = 15,                    // SMs, 1 to 256
    parameter PTR_W = 16,                    // bits of a place in the CTA list and of a group's number, 2 to 32
    parameter TB_W  = 16                     // bits of a CTA's number, 1 to 32, 2*PTR_W at most
) (
    input  wire                                  clk_i,
    input  wire                                  rst_i,         // synchronous, active high
    input  wire                                  cfg_valid_i,   // a launch
    output wire                                  cfg_ready_o,
    input  wire [PTR_W-1:0]                      cfg_groups_i,  // entries of its group table
    input  wire                                  cfg_steal_i,
    output wire [SMS-1:0]                        tb_valid_o,
    input  wire [SMS-1:0]                        tb_ready_i,
    output wire [SMS*TB_W-1:0]                   tb_id_o,
    output wire                                  req_valid_o,
    input  wire                                  req_ready_i,
    output wire                                  req_group_o,   // 1: entry of the group table, 0: of the CTA list
    output wire [PTR_W-1:0]                      req_index_o,
    output wire [(SMS>2 ? $clog2(SMS) : 1)-1:0]  req_tag_o,     // the SM
    input  wire                                  rsp_valid_i,
    input  wire [(SMS>2 ? $clog2(SMS) : 1)-1:0]  rsp_tag_i,
    input  wire [2*PTR_W-1:0]                    rsp_data_i,    // {tail, head}, or a CTA in the low TB_W bits
    output wire                                  ev_steal_o,
    output wire [(SMS>2 ? $clog2(SMS) : 1)-1:0]  ev_donor_o,
    output wire [(SMS>2 ? $clog2(SMS) : 1)-1:0]  ev_recipient_o,
    output wire [PTR_W-1:0]                      ev_count_o,
    output wire                                  busy_o
);
    localparam SM_W = SMS > 2 ? $clog2(SMS) : 1;
    generate
        if (SMS < 1 || SMS > 256) begin : g_bad_sms ILLEGAL_SMS_must_be_1_to_256 u (); end
        if (PTR_W < 2 || PTR_W > 32) begin : g_bad_ptr ILLEGAL_PTR_W_must_be_2_to_32 u (); end
        if (TB_W < 1 || TB_W > 32 || TB_W > 2*PTR_W) begin : g_bad_tb ILLEGAL_TB_W_must_be_1_to_32_and_at_most_twice_PTR_W u (); end
    endgenerate

    wire [SMS*PTR_W-1:0] next;
    wire [SMS*PTR_W-1:0] tail;
    wire [SMS-1:0]       valid;
    wire [SMS-1:0]       pending;
    wire [SMS-1:0]       empty;
    wire [SMS-1:0]       spare;
    wire [SMS-1:0]       pinned = valid | pending;
    wire [SMS-1:0]       ask;
    wire                 groups_left;
    wire                 need;
    wire                 hold;
    wire [PTR_W-1:0]     from;
    wire [PTR_W-1:0]     to;
    wire                 idle;
    wire                 steal_busy;
    wire                 cfg = cfg_valid_i && cfg_ready_o;

    assign tb_valid_o  = valid;
    assign cfg_ready_o = &empty && !(|pending) && !groups_left && !req_valid_o && idle;
    assign busy_o      = req_valid_o || need || steal_busy;

    paver_sm_queue #(.SMS(SMS), .PTR_W(PTR_W), .TB_W(TB_W), .SM_W(SM_W)) sm (
        .clk_i(clk_i), .rst_i(rst_i), .tb_ready_i(tb_ready_i), .ask_i(ask),
        .rsp_valid_i(rsp_valid_i), .rsp_tag_i(rsp_tag_i), .rsp_data_i(rsp_data_i),
        .steal_i(ev_steal_o), .donor_i(ev_donor_o), .recipient_i(ev_recipient_o), .from_i(from), .to_i(to),
        .next_o(next), .tail_o(tail), .tb_o(tb_id_o), .valid_o(valid), .pending_o(pending), .empty_o(empty), .spare_o(spare)
    );
    paver_dispatch #(.SMS(SMS), .PTR_W(PTR_W), .SM_W(SM_W)) dispatch (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg), .cfg_groups_i(cfg_groups_i), .next_i(next), .empty_i(empty),
        .pinned_i(pinned), .hold_i(hold), .hold_sm_i(ev_donor_o), .ask_o(ask), .groups_left_o(groups_left), .need_o(need),
        .req_valid_o(req_valid_o), .req_ready_i(req_ready_i), .req_group_o(req_group_o), .req_index_o(req_index_o),
        .req_tag_o(req_tag_o)
    );
    paver_steal #(.SMS(SMS), .PTR_W(PTR_W), .SM_W(SM_W)) steal (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg), .cfg_steal_i(cfg_steal_i), .groups_left_i(groups_left),
        .next_i(next), .tail_i(tail), .empty_i(empty), .pinned_i(pinned), .spare_i(spare), .ready_i(tb_ready_i),
        .hold_o(hold), .steal_o(ev_steal_o), .donor_o(ev_donor_o), .recipient_o(ev_recipient_o), .count_o(ev_count_o),
        .from_o(from), .to_o(to), .idle_o(idle), .busy_o(steal_busy)
    );

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    localparam [31:0] ALL = SMS;
    reg [SMS-1:0]      tb_waits_was = {SMS{1'b0}};
    reg [SMS*TB_W-1:0] tb_id_was;
    reg                req_waits_was = 1'b0;
    reg                req_group_was;
    reg [PTR_W-1:0]    req_index_was;
    reg [SM_W-1:0]     req_tag_was;
    integer            s;
    always @(posedge clk_i) begin
        tb_waits_was  <= tb_valid_o & ~tb_ready_i & {SMS{!rst_i}};
        tb_id_was     <= tb_id_o;
        req_waits_was <= req_valid_o && !req_ready_i && !rst_i;
        req_group_was <= req_group_o;
        req_index_was <= req_index_o;
        req_tag_was   <= req_tag_o;
        for (s = 0; s < SMS; s = s + 1)
            if (tb_waits_was[s]) begin : cta_holds
                assert (tb_valid_o[s] && tb_id_o[s*TB_W +: TB_W] == tb_id_was[s*TB_W +: TB_W]);
            end
        if (req_waits_was) begin : request_holds
            assert (req_valid_o && req_group_o == req_group_was && req_index_o == req_index_was && req_tag_o == req_tag_was);
        end
        if (req_valid_o && !rst_i) begin : request_is_of_an_sm assert ({1'b0, req_tag_o} < ALL[SM_W:0] && busy_o); end
        if (!rst_i) begin
            begin : one_asks assert ((ask & (ask - 1'b1)) == {SMS{1'b0}}); end
            begin : waits_or_has_a_cta assert ((valid & pending) == {SMS{1'b0}}); end
        end
        if (ev_steal_o && !rst_i) begin : steal_is_between_two_sms
            assert ({1'b0, ev_donor_o} < ALL[SM_W:0] && {1'b0, ev_recipient_o} < ALL[SM_W:0] &&
                    ev_donor_o != ev_recipient_o && |ev_count_o);
        end
    end
`endif
endmodule
`default_nettype wire
