// paver_claims: what is proved of paver_top, by induction, for every fetch latency, every order of responses, every time at which SMs
// are ready, and steals whenever they come. Stands inside paver_top under FORMAL.
//
// watched is any place of the CTA list and its_group the group that holds it; of the group table nothing is assumed but that this group
// alone contains the place and that a group does not end before it begins. What holds for any place holds for all.
//
// For the bound, memory takes a request and answers it within K cycles, and an SM takes the CTA that it is shown within K. STRICT = 0
// leaves that out: the other claims need no bound.
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
    input wire                 cfg_ready_i,
    input wire [PTR_W-1:0]     cfg_groups_i,
    input wire [SMS-1:0]       tb_ready_i,
    input wire [SMS*TB_W-1:0]  tb_i,
    input wire                 req_valid_i,
    input wire                 req_ready_i,
    input wire                 req_group_i,
    input wire [PTR_W-1:0]     req_index_i,
    input wire [SM_W-1:0]      req_tag_i,
    input wire                 rsp_valid_i,
    input wire [SM_W-1:0]      rsp_tag_i,
    input wire [2*PTR_W-1:0]   rsp_data_i,
    input wire                 ev_steal_i,
    input wire [SM_W-1:0]      ev_donor_i,
    input wire [SM_W-1:0]      ev_recipient_i,
    input wire [PTR_W-1:0]     ev_count_i,
    input wire [SMS*PTR_W-1:0] next_i,
    input wire [SMS*PTR_W-1:0] tail_i,
    input wire [SMS-1:0]       valid_i,
    input wire [SMS-1:0]       pending_i,
    input wire [SMS-1:0]       empty_i,
    input wire [SMS-1:0]       ask_i,
    input wire [PTR_W-1:0]     group_i,
    input wire [PTR_W-1:0]     groups_i,
    input wire                 steal_on_i,
    input wire [7:0]           steal_left_i  // cycles until the stealer is idle
);
    localparam T = SMS + PTR_W + 2;          // of a steal
    localparam [7:0] LONGEST = K + T + 1;

    (* anyconst *) wire [PTR_W-1:0] watched;
    (* anyconst *) wire [PTR_W-1:0] its_group;
    (* anyconst *) wire [TB_W-1:0]  its_cta;
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);

    wire cfg    = cfg_valid_i && cfg_ready_i;
    wire accept = req_valid_i && req_ready_i;

    // ---- memory: what is asked of it, per SM ----

    reg [SMS-1:0]       out_q;               // a request taken and not answered:
    reg [SMS-1:0]       out_group_q;         // of the group table,
    reg [SMS*PTR_W-1:0] out_index_q;         // of this entry
    wire [PTR_W-1:0]    head = rsp_data_i[PTR_W-1:0];
    wire [PTR_W-1:0]    tail = rsp_data_i[PTR_W +: PTR_W];
    wire [PTR_W-1:0]    rsp_index = out_index_q[rsp_tag_i*PTR_W +: PTR_W];
    wire                rsp_group = out_group_q[rsp_tag_i];
    wire                has_it    = head <= watched && watched < tail;
    always @* begin
        assume (rsp_tag_i < SMS);
        if (rsp_valid_i) begin
            assume (out_q[rsp_tag_i]);
            if (rsp_group) assume (head <= tail && has_it == (rsp_index == its_group));
            else if (rsp_index == watched) assume (rsp_data_i[TB_W-1:0] == its_cta);
        end
    end

    integer i;
    always @(posedge clk_i)
        if (rst_i) begin
            out_q <= {SMS{1'b0}};
        end else begin
            if (rsp_valid_i) out_q[rsp_tag_i] <= 1'b0;
            if (accept) begin
                out_q[req_tag_i]                       <= 1'b1;
                out_group_q[req_tag_i]                 <= req_group_i;
                out_index_q[req_tag_i*PTR_W +: PTR_W]  <= req_index_i;
            end
        end

    // ---- where the watched place is ----

    reg  flying_q;                           // its group's entry is asked for, or on its way back
    reg  read_q;                             // its entry of the list has been asked for
    reg  issued_q;
    reg  stolen_q;
    wire in_launch = its_group < groups_i;
    wire waits     = in_launch && group_i <= its_group;
    reg  [SMS-1:0] held, at_head, take;
    reg  [7:0]     holders;
    always @* begin
        holders = 8'd0;
        for (i = 0; i < SMS; i = i + 1) begin
            held[i]    = next_i[i*PTR_W +: PTR_W] <= watched && watched < tail_i[i*PTR_W +: PTR_W];
            at_head[i] = next_i[i*PTR_W +: PTR_W] == watched;
            take[i]    = valid_i[i] && tb_ready_i[i];
            holders    = holders + {7'd0, held[i]};
        end
    end
    wire asks_group = |(ask_i & empty_i);
    wire asks_it    = |(ask_i & ~empty_i & at_head);
    always @(posedge clk_i)
        if (rst_i || cfg) begin
            flying_q <= 1'b0;
            read_q   <= 1'b0;
            issued_q <= 1'b0;
            stolen_q <= 1'b0;
        end else begin
            if (ev_steal_i && held[ev_donor_i] &&
                watched >= tail_i[ev_donor_i*PTR_W +: PTR_W] - ev_count_i) stolen_q <= 1'b1;
            if (asks_group && group_i == its_group) flying_q <= 1'b1;
            else if (rsp_valid_i && rsp_group && rsp_index == its_group) flying_q <= 1'b0;
            if (asks_it) read_q <= 1'b1;
            if (|(take & at_head)) issued_q <= 1'b1;
        end

    // ---- safety ----

    always @*
        if (started_q && !rst_i) begin
            // The place is in exactly one of: its group not handed out, its group on its way, one SM's [next, tail), issued.
            in_one_place: assert ({7'd0, waits} + {7'd0, flying_q} + holders + {7'd0, issued_q} == {7'd0, in_launch});
            if (cfg_ready_i) all_are_issued: assert (issued_q == in_launch);
            if (|(take & at_head)) issued_once: assert (!issued_q && in_launch);
            if (asks_it) read_once: assert (!read_q);
            one_asks: assert ((ask_i & (ask_i - 1'b1)) == 0);
            if (ev_steal_i) begin
                steal_moves: assert (ev_count_i != 0 && ev_donor_i != ev_recipient_i && empty_i[ev_recipient_i] &&
                                     !valid_i[ev_recipient_i] && !pending_i[ev_recipient_i]);
                only_if_wanted: assert (steal_on_i && group_i == groups_i);
            end
            groups_in_order: assert (group_i <= groups_i);
            tag_is_legal: assert (!req_valid_i || req_tag_i < SMS);
            if (!holders[0]) not_read_before: assert (read_q == issued_q);
            flies_with_one: assert (flights == {7'd0, flying_q});
        end

    genvar g;
    generate
        for (g = 0; g < SMS; g = g + 1) begin : g_sm
            always @*
                if (started_q && !rst_i) begin
                    if (take[g] && at_head[g]) assert (tb_i[g*TB_W +: TB_W] == its_cta);
                    // A fetch that comes back is never late: it is of the entry at next, which is still the SM's.
                    if (rsp_valid_i && rsp_tag_i == g && !out_group_q[g])
                        assert (!empty_i[g] && out_index_q[g*PTR_W +: PTR_W] == next_i[g*PTR_W +: PTR_W]);
                    if (rsp_valid_i && rsp_tag_i == g && out_group_q[g])
                        assert (empty_i[g]);
                    // What makes these inductive.
                    assert (next_i[g*PTR_W +: PTR_W] <= tail_i[g*PTR_W +: PTR_W]);
                    assert (!valid_i[g] || (!pending_i[g] && !empty_i[g]));
                    assert (pending_i[g] == (out_q[g] != (req_valid_i && req_tag_i == g)));
                    if (req_valid_i && req_tag_i == g) begin
                        assert (!out_q[g]);
                        assert (req_group_i == empty_i[g]);
                        if (!req_group_i) assert (req_index_i == next_i[g*PTR_W +: PTR_W]);
                    end
                    if (out_q[g]) begin
                        assert (out_group_q[g] == empty_i[g]);
                        if (!out_group_q[g]) assert (out_index_q[g*PTR_W +: PTR_W] == next_i[g*PTR_W +: PTR_W]);
                    end
                    if (held[g])
                        assert (read_q == (at_head[g] && (valid_i[g] || pending_i[g])));
                    if (valid_i[g] && at_head[g]) assert (tb_i[g*TB_W +: TB_W] == its_cta);
                    if (pending_i[g] && empty_i[g])
                        assert ((out_q[g] ? out_index_q[g*PTR_W +: PTR_W] : req_index_i) < group_i);
                end
            always @(posedge clk_i)
                if (started_q && !rst_i && !$past(rst_i)) begin
                    if ($past(valid_i[g] && !tb_ready_i[g]))
                        assert (valid_i[g] && $stable(tb_i[g*TB_W +: TB_W]));
                    // The head is not stolen while it is asked for or shown.
                    if ($past((valid_i[g] || pending_i[g]) && !empty_i[g] && !take[g]))
                        assert (!empty_i[g] && $stable(next_i[g*PTR_W +: PTR_W]));
                end
        end
    endgenerate

    // Requests for its group that are in the register or at the memory.
    reg [7:0] flights;
    always @* begin
        flights = {7'd0, req_valid_i && req_group_i && req_index_i == its_group};
        for (i = 0; i < SMS; i = i + 1)
            flights = flights + {7'd0, out_q[i] && out_group_q[i] && out_index_q[i*PTR_W +: PTR_W] == its_group};
    end

    // ---- handshakes ----

    // Of the SMs of the last steal: recipient.tail = donor's old tail, recipient.next = donor's new one.
    reg  [SM_W-1:0]  from_q, to_q;
    wire [PTR_W-1:0] donor_tail = tail_i[ev_donor_i*PTR_W +: PTR_W];
    wire [PTR_W-1:0] donor_was  = tail_i[from_q*PTR_W +: PTR_W];
    wire [PTR_W-1:0] moved_next = next_i[to_q*PTR_W +: PTR_W];
    wire [PTR_W-1:0] moved_tail = tail_i[to_q*PTR_W +: PTR_W];
    always @(posedge clk_i) begin
        from_q <= ev_donor_i;
        to_q   <= ev_recipient_i;
    end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(req_valid_i && !req_ready_i))
                request_holds: assert (req_valid_i && $stable(req_group_i) && $stable(req_index_i) && $stable(req_tag_i));
            if ($past(cfg_ready_i && !cfg_valid_i)) ready_holds: assert (cfg_ready_i);
            if ($past(ev_steal_i)) begin
                recipient_has_the_count: assert (moved_tail - moved_next == $past(ev_count_i) && moved_tail == $past(donor_tail));
                donor_has_less: assert (donor_was == moved_next);
            end
        end

    // ---- the bound: something happens at least every LONGEST cycles until all CTAs are handed out ----
    //
    // An event is a request begun, taken or answered, or a CTA taken. Each group has three of them and each CTA four, as read_once,
    // issued_once and in_one_place say, so a launch of G groups and N CTAs ends within (3G + 4N + 1) * LONGEST cycles.

    wire       event_now = |ask_i || accept || rsp_valid_i || |take || cfg;
    wire [SMS-1:0] ageing = valid_i | out_q; // SMs that wait for an answer, or to take their CTA
    reg  [7:0] still_q;                      // cycles since the last event
    reg  [7:0] req_age_q;
    always @(posedge clk_i) begin
        still_q   <= rst_i || event_now || cfg_ready_i ? 8'd0 : still_q + 8'd1;
        req_age_q <= rst_i || !req_valid_i || accept ? 8'd0 : req_age_q + 8'd1;
    end
    generate
        if (STRICT) begin : g_bound
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
            always @* assume (req_age_q < K || !req_valid_i || req_ready_i);
            always @*
                if (started_q && !rst_i) begin
                    never_still: assert (still_q <= LONGEST);
                    // What makes it inductive: whatever waits has waited since the last event at least.
                    request_ages: assert (req_age_q <= K);
                    if (req_valid_i) request_waits_as_long: assert (req_age_q >= still_q);
                    if (steal_left_i != 0) steal_ends: assert (still_q + steal_left_i <= LONGEST);
                    if (!cfg_ready_i && !(|ageing) && !req_valid_i && steal_left_i == 0)
                        asks_at_once: assert (|ask_i);
                end
        end
    endgenerate

    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            stolen: cover (ev_steal_i && ev_count_i > 1);
            stolen_of_one_taken: cover (ev_steal_i && take[ev_donor_i]);
            stolen_of_one_asked: cover (ev_steal_i && pending_i[ev_donor_i]);
            stolen_is_issued: cover (issued_q && stolen_q && cfg_ready_i);
            next_launch: cover (cfg && issued_q);
        end
endmodule
`default_nettype wire
