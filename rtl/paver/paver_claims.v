// paver_claims: what is proved of paver_top, by induction, for every fetch latency, every order of responses, every
// time at which SMs are ready, and steals whenever they come. The inputs of the block are free but for what is assumed
// here.
//
// watched is any place of the CTA list and its_group the group that holds it; of the group table nothing is assumed but
// that this group alone contains the place and that a group does not end before it begins. What holds for any place
// holds for all.
//
// For the bound, memory takes a request and answers it within K cycles, and an SM takes the CTA that it is shown within
// K. STRICT = 0 leaves that out: the other claims need no bound.
//
// What is inside the block is seen under its name: Verilator looks it up, Yosys joins the wires below when it flattens
// (hierconn).
// Source      paver, section 5; no CTA is to be lost or issued twice
`default_nettype none
module paver_claims #(
    parameter SMS    = 3,                  // all as in paver_top
    parameter PTR_W  = 4,
    parameter TB_W   = 4,
    parameter SM_W   = SMS > 2 ? $clog2(SMS) : 1,
    parameter STRICT = 0,
    parameter K      = 3
) (
    input wire                 clk_i,
    input wire                 rst_i,
    input wire                 cfg_valid_i,
    input wire [PTR_W-1:0]     cfg_groups_i,
    input wire                 cfg_steal_i,
    input wire [SMS-1:0]       tb_ready_i,
    input wire                 req_ready_i,
    input wire                 rsp_valid_i,
    input wire [SM_W-1:0]      rsp_tag_i,
    input wire [2*PTR_W-1:0]   rsp_data_i
);
    localparam T = SMS + PTR_W + 2;          // of a steal
    localparam [7:0] LONGEST = K + T + 1;

    // ---- the block ----

    wire                 cfg_ready, req_valid, req_group, ev_steal, unused_busy;
    wire [SMS-1:0]       tb_valid;
    wire [SMS*TB_W-1:0]  tb;
    wire [PTR_W-1:0]     req_index, ev_count;
    wire [SM_W-1:0]      req_tag, ev_donor, ev_recipient;
    paver_top #(.SMS(SMS), .PTR_W(PTR_W), .TB_W(TB_W)) dut (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_valid_i(cfg_valid_i), .cfg_ready_o(cfg_ready), .cfg_groups_i(cfg_groups_i),
        .cfg_steal_i(cfg_steal_i), .tb_valid_o(tb_valid), .tb_ready_i(tb_ready_i), .tb_id_o(tb), .req_valid_o(req_valid),
        .req_ready_i(req_ready_i), .req_group_o(req_group), .req_index_o(req_index), .req_tag_o(req_tag),
        .rsp_valid_i(rsp_valid_i), .rsp_tag_i(rsp_tag_i), .rsp_data_i(rsp_data_i), .ev_steal_o(ev_steal),
        .ev_donor_o(ev_donor), .ev_recipient_o(ev_recipient), .ev_count_o(ev_count), .busy_o(unused_busy)
    );
`ifdef YOSYS
    (* hierconn *) wire [SMS*PTR_W-1:0] \dut.next , \dut.tail ;
    (* hierconn *) wire [SMS-1:0] \dut.pending , \dut.empty , \dut.ask ;
    (* hierconn *) wire [PTR_W-1:0] \dut.dispatch.group_q , \dut.dispatch.groups_q ;
    (* hierconn *) wire \dut.steal.on_q ;
    (* hierconn *) wire [2:0] \dut.steal.state_q ;
    (* hierconn *) wire [(SM_W > 5 ? SM_W : 5)-1:0] \dut.steal.step_q ;
`endif
    wire [SMS*PTR_W-1:0] next = dut.next, tail = dut.tail;
    wire [SMS-1:0]       pending = dut.pending, empty = dut.empty, ask = dut.ask;
    wire [PTR_W-1:0]     group = dut.dispatch.group_q, groups = dut.dispatch.groups_q;

    // ---- the place that is watched ----

    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [PTR_W-1:0] watched;           // the solver chooses
    (* anyconst *) wire [PTR_W-1:0] its_group;
    (* anyconst *) wire [TB_W-1:0]  its_cta;
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);

    wire cfg    = cfg_valid_i && cfg_ready;
    wire accept = req_valid && req_ready_i;

    // ---- memory: what is asked of it, per SM ----

    reg [SMS-1:0]       out_q;               // a request taken and not answered:
    reg [SMS-1:0]       out_group_q;         // of the group table,
    reg [SMS*PTR_W-1:0] out_index_q;         // of this entry
    wire [PTR_W-1:0]    rsp_head = rsp_data_i[PTR_W-1:0];
    wire [PTR_W-1:0]    rsp_tail = rsp_data_i[PTR_W +: PTR_W];
    wire [PTR_W-1:0]    rsp_index = out_index_q[rsp_tag_i*PTR_W +: PTR_W];
    wire                rsp_group = out_group_q[rsp_tag_i];
    wire                has_it    = rsp_head <= watched && watched < rsp_tail;
    always @* begin
        assume (rsp_tag_i < SMS);
        if (rsp_valid_i) begin
            assume (out_q[rsp_tag_i]);
            if (rsp_group) assume (rsp_head <= rsp_tail && has_it == (rsp_index == its_group));
            if (!rsp_group && rsp_index == watched) assume (rsp_data_i[TB_W-1:0] == its_cta);
        end
    end

    integer i;
    always @(posedge clk_i)
        if (rst_i) begin
            out_q <= {SMS{1'b0}};
        end else begin
            if (rsp_valid_i) out_q[rsp_tag_i] <= 1'b0;
            if (accept) begin
                out_q[req_tag]                       <= 1'b1;
                out_group_q[req_tag]                 <= req_group;
                out_index_q[req_tag*PTR_W +: PTR_W]  <= req_index;
            end
        end

    // ---- where the watched place is ----

    reg  flying_q;                           // its group's entry is asked for, or on its way back
    reg  read_q;                             // its entry of the list has been asked for
    reg  issued_q;
    reg  stolen_q;
    wire in_launch = its_group < groups;
    wire waits     = in_launch && group <= its_group;
    reg  [SMS-1:0] held, at_head, take;
    reg  [7:0]     holders;
    always @* begin
        holders = 8'd0;
        for (i = 0; i < SMS; i = i + 1) begin
            held[i]    = next[i*PTR_W +: PTR_W] <= watched && watched < tail[i*PTR_W +: PTR_W];
            at_head[i] = next[i*PTR_W +: PTR_W] == watched;
            take[i]    = tb_valid[i] && tb_ready_i[i];
            holders    = holders + {7'd0, held[i]};
        end
    end
    wire asks_group = |(ask & empty);
    wire asks_it    = |(ask & ~empty & at_head);
    always @(posedge clk_i)
        if (rst_i || cfg) begin
            flying_q <= 1'b0;
            read_q   <= 1'b0;
            issued_q <= 1'b0;
            stolen_q <= 1'b0;
        end else begin
            if (ev_steal && held[ev_donor] &&
                watched >= tail[ev_donor*PTR_W +: PTR_W] - ev_count) stolen_q <= 1'b1;
            if (asks_group && group == its_group) flying_q <= 1'b1;
            else if (rsp_valid_i && rsp_group && rsp_index == its_group) flying_q <= 1'b0;
            if (asks_it) read_q <= 1'b1;
            if (|(take & at_head)) issued_q <= 1'b1;
        end

    // ---- safety ----

    always @*
        if (started_q && !rst_i) begin
            // The place is in exactly one of: its group not handed out, its group on its way, one SM's [next, tail),
            // issued.
            in_one_state: assert ({7'd0, waits} + {7'd0, flying_q} + holders + {7'd0, issued_q} == {7'd0, in_launch});
            if (cfg_ready) all_are_issued: assert (issued_q == in_launch);
            if (|(take & at_head)) issued_once: assert (!issued_q && in_launch);
            if (asks_it) read_once: assert (!read_q);
            if (ev_steal) begin
                steal_moves: assert (ev_count != 0 && ev_donor != ev_recipient && empty[ev_recipient] &&
                                     !tb_valid[ev_recipient] && !pending[ev_recipient]);
                only_if_wanted: assert (dut.steal.on_q && group == groups);
            end
            groups_in_order: assert (group <= groups);
            if (!holders[0]) not_read_before: assert (read_q == issued_q);
            flies_with_one: assert (flights == {7'd0, flying_q});
        end

    genvar g;
    generate
        for (g = 0; g < SMS; g = g + 1) begin : g_sm
            always @*
                if (started_q && !rst_i) begin
                    if (take[g] && at_head[g]) assert (tb[g*TB_W +: TB_W] == its_cta);
                    // A fetch that comes back is never late: it is of the entry at next, which is still the SM's.
                    if (rsp_valid_i && rsp_tag_i == g && !out_group_q[g])
                        assert (!empty[g] && out_index_q[g*PTR_W +: PTR_W] == next[g*PTR_W +: PTR_W]);
                    if (rsp_valid_i && rsp_tag_i == g && out_group_q[g])
                        assert (empty[g]);
                    // What makes these inductive.
                    assert (next[g*PTR_W +: PTR_W] <= tail[g*PTR_W +: PTR_W]);
                    assert (!tb_valid[g] || (!pending[g] && !empty[g]));
                    assert (pending[g] == (out_q[g] != (req_valid && req_tag == g)));
                    if (req_valid && req_tag == g) begin
                        assert (!out_q[g]);
                        assert (req_group == empty[g]);
                        if (!req_group) assert (req_index == next[g*PTR_W +: PTR_W]);
                    end
                    if (out_q[g]) begin
                        assert (out_group_q[g] == empty[g]);
                        if (!out_group_q[g]) assert (out_index_q[g*PTR_W +: PTR_W] == next[g*PTR_W +: PTR_W]);
                    end
                    if (held[g])
                        assert (read_q == (at_head[g] && (tb_valid[g] || pending[g])));
                    if (tb_valid[g] && at_head[g]) assert (tb[g*TB_W +: TB_W] == its_cta);
                    if (pending[g] && empty[g])
                        assert ((out_q[g] ? out_index_q[g*PTR_W +: PTR_W] : req_index) < group);
                end
            always @(posedge clk_i)
                if (started_q && !rst_i && !$past(rst_i)) begin
                    if ($past(tb_valid[g] && !tb_ready_i[g]))
                        assert (tb_valid[g] && $stable(tb[g*TB_W +: TB_W]));
                    // The head is not stolen while it is asked for or shown.
                    if ($past((tb_valid[g] || pending[g]) && !empty[g] && !take[g]))
                        assert (!empty[g] && $stable(next[g*PTR_W +: PTR_W]));
                end
        end
    endgenerate

    // Requests for its group that are in the register or at the memory.
    reg [7:0] flights;
    always @* begin
        flights = {7'd0, req_valid && req_group && req_index == its_group};
        for (i = 0; i < SMS; i = i + 1)
            flights = flights + {7'd0, out_q[i] && out_group_q[i] && out_index_q[i*PTR_W +: PTR_W] == its_group};
    end

    // ---- handshakes ----

    // Of the SMs of the last steal: recipient.tail = donor's old tail, recipient.next = donor's new one.
    reg  [SM_W-1:0]  from_q, to_q;
    wire [PTR_W-1:0] donor_tail = tail[ev_donor*PTR_W +: PTR_W];
    wire [PTR_W-1:0] donor_was  = tail[from_q*PTR_W +: PTR_W];
    wire [PTR_W-1:0] moved_next = next[to_q*PTR_W +: PTR_W];
    wire [PTR_W-1:0] moved_tail = tail[to_q*PTR_W +: PTR_W];
    always @(posedge clk_i) begin
        from_q <= ev_donor;
        to_q   <= ev_recipient;
    end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(cfg_ready && !cfg_valid_i)) ready_holds: assert (cfg_ready);
            if ($past(ev_steal)) begin
                recipient_has_the_count: assert (moved_tail - moved_next == $past(ev_count) && moved_tail == $past(donor_tail));
                donor_has_less: assert (donor_was == moved_next);
            end
        end

    // ---- the bound: something happens at least every LONGEST cycles until all CTAs are handed out ----
    //
    // An event is a request begun, taken or answered, or a CTA taken. Each group has three of them and each CTA four,
    // as read_once, issued_once and in_one_state say, so a launch of G groups and N CTAs ends within (3G + 4N + 1) *
    // LONGEST cycles.

    wire       event_now = |ask || accept || rsp_valid_i || |take || cfg;
    reg  [7:0] still_q;                      // cycles since the last event
    reg  [7:0] req_age_q;
    always @(posedge clk_i) begin
        still_q   <= rst_i || event_now || cfg_ready ? 8'd0 : still_q + 8'd1;
        req_age_q <= rst_i || !req_valid || accept ? 8'd0 : req_age_q + 8'd1;
    end
    generate
        if (STRICT != 0) begin : g_bound
            wire [SMS-1:0] ageing = tb_valid | out_q; // SMs that wait for an answer, or to take their CTA

            // Cycles until the stealer is idle.
            localparam [2:0] SCAN = 3'd1, DIVIDE = 3'd2, COUNT = 3'd3, APPLY = 3'd4;
            wire [2:0] steal_state = dut.steal.state_q;
            wire [7:0] steal_step  = {{8-(SM_W > 5 ? SM_W : 5){1'b0}}, dut.steal.step_q};
            wire [7:0] steal_left  = steal_state == SCAN   ? T[7:0] - steal_step :
                                     steal_state == DIVIDE ? T[7:0] - SMS[7:0] - steal_step :
                                     steal_state == COUNT  ? 8'd2 :
                                     steal_state == APPLY  ? 8'd1 : 8'd0;

            for (g = 0; g < SMS; g = g + 1) begin : g_sm
                reg  [7:0] age_q;
                wire       ends = take[g] || (rsp_valid_i && rsp_tag_i == g);
                always @(posedge clk_i) age_q <= rst_i || !ageing[g] || ends ? 8'd0 : age_q + 8'd1;
                always @* assume (age_q < K || !ageing[g] || ends);
                always @*
                    if (started_q && !rst_i) begin
                        assert (age_q <= K);
                        if (ageing[g]) assert (age_q >= still_q);
                    end
            end
            always @* assume (req_age_q < K || !req_valid || req_ready_i);
            always @*
                if (started_q && !rst_i) begin
                    never_still: assert (still_q <= LONGEST);
                    // What makes it inductive: whatever waits has waited since the last event at least.
                    request_ages: assert (req_age_q <= K);
                    if (req_valid) request_waits_as_long: assert (req_age_q >= still_q);
                    if (steal_left != 0) steal_ends: assert (still_q + steal_left <= LONGEST);
                    if (!cfg_ready && !(|ageing) && !req_valid && steal_left == 0)
                        asks_at_once: assert (|ask);
                end
        end
    endgenerate

    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            stolen: cover (ev_steal && ev_count > 1);
            stolen_of_one_taken: cover (ev_steal && take[ev_donor]);
            stolen_of_one_asked: cover (ev_steal && pending[ev_donor]);
            stolen_is_issued: cover (issued_q && stolen_q && cfg_ready);
            next_launch: cover (cfg && issued_q);
        end
endmodule
`default_nettype wire
