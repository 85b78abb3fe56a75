// paver_sm_queue: of each SM the part [next, tail) of its group that is still to be issued to it, and the CTA at next.
//
// pending: a request of the SM is on its way, for a group if it has none (next = tail), else for the CTA at next.
// valid: tb holds that CTA. While either is set the entry at next is pinned.
//
// Latency     what a response brings is on the outputs in the next cycle. A CTA is taken at the edge at which
//             tb_valid_o and tb_ready_i are high.
// Throughput  a response a cycle.
// Handshake   tb: ready/valid an SM. A response is always taken; one whose SM does not wait changes nothing.
// Source      paver, section 5.1 (Figure 8)
`default_nettype none
module paver_sm_queue #(
    parameter SMS   = 15,                   // all as in paver_top
    parameter PTR_W = 16,
    parameter TB_W  = 16,
    parameter SM_W  = SMS > 2 ? $clog2(SMS) : 1
) (
    input  wire                 clk_i,
    input  wire                 rst_i,      // synchronous, active high
    input  wire [SMS-1:0]       tb_ready_i,
    input  wire [SMS-1:0]       ask_i,      // a request of the SM begins; one at most
    input  wire                 rsp_valid_i,
    input  wire [SM_W-1:0]      rsp_tag_i,
    input  wire [2*PTR_W-1:0]   rsp_data_i,
    input  wire                 steal_i,    // entries from "from" on leave the donor; the recipient is empty
    input  wire [SM_W-1:0]      donor_i,
    input  wire [SM_W-1:0]      recipient_i,
    input  wire [PTR_W-1:0]     from_i,
    input  wire [PTR_W-1:0]     to_i,       // the donor's tail
    output wire [SMS*PTR_W-1:0] next_o,
    output wire [SMS*PTR_W-1:0] tail_o,
    output wire [SMS*TB_W-1:0]  tb_o,
    output wire [SMS-1:0]       valid_o,
    output wire [SMS-1:0]       pending_o,
    output wire [SMS-1:0]       empty_o,    // next = tail
    output wire [SMS-1:0]       spare_o     // an entry could be stolen
);
    reg [SMS*PTR_W-1:0] next_q;
    reg [SMS*PTR_W-1:0] tail_q;
    reg [SMS*TB_W-1:0]  tb_q;
    reg [SMS-1:0]       valid_q;
    reg [SMS-1:0]       pending_q;

    wire [SMS*PTR_W-1:0] second;            // next + 1
    wire [SMS-1:0]       take;
    wire [SMS-1:0]       answer;            // the response is the SM's
    wire [SMS-1:0]       gives;
    wire [SMS-1:0]       gets;
    genvar               g;
    generate
        for (g = 0; g < SMS; g = g + 1) begin : g_sm
            localparam [SM_W-1:0] ME = g;
            assign second[g*PTR_W +: PTR_W] = next_q[g*PTR_W +: PTR_W] + {{PTR_W-1{1'b0}}, 1'b1};
            assign empty_o[g] = next_q[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W];
            assign spare_o[g] = !empty_o[g] && !((valid_q[g] || pending_q[g]) &&
                                                 second[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W]);
            assign take[g]    = valid_q[g] && tb_ready_i[g];
            assign answer[g]  = rsp_valid_i && rsp_tag_i == ME && pending_q[g];
            assign gives[g]   = steal_i && donor_i == ME;
            assign gets[g]    = steal_i && recipient_i == ME;
        end
    endgenerate

    assign next_o    = next_q;
    assign tail_o    = tail_q;
    assign tb_o      = tb_q;
    assign valid_o   = valid_q;
    assign pending_o = pending_q;

    integer i;
    always @(posedge clk_i)
        if (rst_i) begin
            next_q    <= {SMS*PTR_W{1'b0}};
            tail_q    <= {SMS*PTR_W{1'b0}};
            tb_q      <= {SMS*TB_W{1'b0}};
            valid_q   <= {SMS{1'b0}};
            pending_q <= {SMS{1'b0}};
        end else begin
            valid_q   <= (valid_q & ~take) | (answer & ~empty_o);
            pending_q <= (pending_q & ~answer) | ask_i;
            for (i = 0; i < SMS; i = i + 1) begin
                if (take[i])
                    next_q[i*PTR_W +: PTR_W] <= second[i*PTR_W +: PTR_W];
                if (answer[i] && !empty_o[i])
                    tb_q[i*TB_W +: TB_W] <= rsp_data_i[TB_W-1:0];
                if (answer[i] && empty_o[i]) begin
                    next_q[i*PTR_W +: PTR_W] <= rsp_data_i[PTR_W-1:0];
                    tail_q[i*PTR_W +: PTR_W] <= rsp_data_i[PTR_W +: PTR_W];
                end
                if (gets[i]) begin
                    next_q[i*PTR_W +: PTR_W] <= from_i;
                    tail_q[i*PTR_W +: PTR_W] <= to_i;
                end
                if (gives[i])
                    tail_q[i*PTR_W +: PTR_W] <= from_i;
            end
        end

`ifdef FORMAL
    // Proved as part of paver_top. Without a cause nothing moves.
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i) && $past(!(|take) && !(|answer) && !(|ask_i) && !steal_i))
            quiet: assert ($stable(next_q) && $stable(tail_q) && $stable(tb_q) && $stable(valid_q) && $stable(pending_q));
`endif
endmodule
`default_nettype wire
