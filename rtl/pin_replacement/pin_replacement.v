// pin_replacement: chooses the victim in a set of a cache whose lines can be pinned.
//
// The victim is an invalid way, else the least recently used line without a pin, else the least recently used one with
// a soft pin, else way 0, as all lines have a hard pin; a reserved way (its line is on its way) is never chosen, and
// for a request that bypasses none is. A timer ends all pins together, with the first input TIMER or more cycles after
// the first pin since the last time.
//
// A line takes a way only if the response that was taken last, in the same cycle or before, gave it this way of this
// set, and once: any other take is not done.
//
// Latency     a request taken in cycle t is answered in t + 1, by all operations and fills up to cycle t. An operation
//             or a fill is in the table an edge after it comes; in one cycle the operation counts first, then the fill.
// Throughput  a request, an operation and a fill a cycle.
// Handshake   requests and responses: ready/valid; a response holds until it is taken, and follows the table while it
//             waits. Operations and fills are always taken. req_ready_o depends on rsp_ready_i, unpin_o on now_i and
//             the valid inputs, all other outputs on registers alone. busy_o is high while a response waits: with it
//             low and no valid input, no register changes.
// Source      ldesc, section 4.4
// Golden twin csim/hw/twins/pin_replacement.h
`default_nettype none
module pin_replacement #(
    parameter SETS  = 32,                // a power of two, 1..256
    parameter WAYS  = 4,                 // 1..16
    parameter TIMER = 100000             // cycles until pins end, 1..2^31-1
) (
    input  wire                                       clk_i,
    input  wire                                       rst_i,         // synchronous, active high
    input  wire [31:0]                                now_i,         // the SM's cycle counter; it may wrap
    input  wire                                       req_valid_i,
    output wire                                       req_ready_o,
    input  wire [(SETS > 2 ? $clog2(SETS) : 1)-1:0]   req_set_i,
    input  wire                                       req_bypass_i,  // the access is to be given no way
    output wire                                       rsp_valid_o,
    input  wire                                       rsp_ready_i,
    output wire                                       rsp_found_o,   // 0: all ways are reserved, or it bypasses
    output wire [(WAYS > 2 ? $clog2(WAYS) : 1)-1:0]   rsp_way_o,     // the victim; 0 without one
    output wire [1:0]                                 rsp_pin_o,     // the pin of its line: 1 soft, 2 hard
    input  wire                                       op_valid_i,
    input  wire [1:0]                                 op_kind_i,     // 0 use, 1 take, 2 drop, 3 drop all not reserved
    input  wire [(SETS > 2 ? $clog2(SETS) : 1)-1:0]   op_set_i,
    input  wire [(WAYS > 2 ? $clog2(WAYS) : 1)-1:0]   op_way_i,
    input  wire                                       op_reserve_i,  // of take: the line is on its way,
    input  wire [1:0]                                 op_pin_i,      // and its pin: 0 none, 1 soft, 2 or 3 hard
    input  wire                                       fill_valid_i,
    input  wire [(SETS > 2 ? $clog2(SETS) : 1)-1:0]   fill_set_i,
    input  wire [(WAYS > 2 ? $clog2(WAYS) : 1)-1:0]   fill_way_i,
    input  wire                                       fill_drop_i,   // nobody wants the line any more
    output wire                                       unpin_o,       // all pins end in this cycle, before its operation
    output wire                                       busy_o
);
    localparam SET_W = SETS > 2 ? $clog2(SETS) : 1;
    localparam WAY_W = WAYS > 2 ? $clog2(WAYS) : 1;
    localparam LINES = SETS * WAYS;
    localparam [31:0] LAST_SET = SETS - 1;
    localparam [31:0] PERIOD   = TIMER;
    localparam [31:0] ONE      = 1;
    localparam [1:0]  USE = 2'd0, TAKE = 2'd1, DROP = 2'd2, DROP_ALL = 2'd3;

    generate
        if (SETS < 1 || SETS > 256 || (SETS & (SETS - 1)) != 0) begin : g_bad_sets
            ILLEGAL_SETS_must_be_a_power_of_two_1_to_256 u ();
        end
        if (WAYS < 1 || WAYS > 16) begin : g_bad_ways
            ILLEGAL_WAYS_must_be_1_to_16 u ();
        end
        if (TIMER < 1 || TIMER > 2147483647) begin : g_bad_timer
            ILLEGAL_TIMER_must_be_1_to_2147483647 u ();
        end
    endgenerate

    reg                   req_valid_q;   // the pending request
    reg [SET_W-1:0]       req_set_q;
    reg                   req_bypass_q;
    reg                   given_q;       // a way that no line has taken yet:
    reg [SET_W-1:0]       given_set_q;
    (* fsm_encoding = "none" *)          // a number, no state of a machine
    reg [WAY_W-1:0]       given_way_q;
    reg                   timing_q;      // the timer runs,
    reg [31:0]            start_q;       // since then
    reg [LINES-1:0]       valid_q;       // by set and way: there, or reserved,
    reg [LINES-1:0]       reserved_q;    // on its way,
    reg [LINES-1:0]       soft_q;        // pinned
    reg [LINES-1:0]       hard_q;
    reg [LINES*WAY_W-1:0] rank_q;        // 0: used last

    // A port of one set still has a wire for its number.
    wire [SET_W-1:0] req_set  = req_set_q & LAST_SET[SET_W-1:0];
    wire [SET_W-1:0] op_set   = op_set_i & LAST_SET[SET_W-1:0];
    wire [SET_W-1:0] fill_set = fill_set_i & LAST_SET[SET_W-1:0];

    // ---- the choice ----

    wire [WAYS-1:0]       valid    = valid_q[req_set*WAYS +: WAYS];
    wire [WAYS-1:0]       free     = ~reserved_q[req_set*WAYS +: WAYS] & {WAYS{!req_bypass_q}};
    wire [WAYS-1:0]       by_soft  = soft_q[req_set*WAYS +: WAYS];
    wire [WAYS-1:0]       by_hard  = hard_q[req_set*WAYS +: WAYS];
    wire [WAYS*WAY_W-1:0] rank     = rank_q[req_set*WAYS*WAY_W +: WAYS*WAY_W];
    wire [WAYS-1:0]       invalid  = free & ~valid;
    wire [WAYS-1:0]       unpinned = free & ~by_soft & ~by_hard;
    wire                  by_rank  = !(|invalid) && (|unpinned || |(free & by_soft));
    wire [WAYS-1:0]       among    = |invalid ? invalid : |unpinned ? unpinned : |(free & by_soft) ? free & by_soft : free;

    reg [WAY_W-1:0] way;
    reg [WAY_W-1:0] oldest;              // its rank
    reg [WAYS-1:0]  victim;              // it, as a bit
    integer         i;
    always @* begin
        way = {WAY_W{1'b0}};
        oldest = {WAY_W{1'b0}};
        victim = {WAYS{1'b0}};
        for (i = 0; i < WAYS; i = i + 1)
            if (among[i] && (!(|victim) || (by_rank && rank[i*WAY_W +: WAY_W] > oldest))) begin
                way = i[WAY_W-1:0];
                oldest = rank[i*WAY_W +: WAY_W];
                victim = {WAYS{1'b0}};
                victim[i] = 1'b1;
            end
    end

    assign req_ready_o = !req_valid_q || rsp_ready_i;
    assign rsp_valid_o = req_valid_q;
    assign rsp_found_o = req_valid_q && |victim;
    assign rsp_way_o   = way & {WAY_W{req_valid_q}};
    assign rsp_pin_o   = {|(victim & by_hard), |(victim & by_soft)} & {2{req_valid_q}};
    assign busy_o      = req_valid_q;

    // ---- what is given ----

    wire             answered  = req_valid_q && rsp_ready_i;
    wire             given     = answered ? |victim : given_q;
    wire [SET_W-1:0] given_set = answered ? req_set : given_set_q;
    wire [WAY_W-1:0] given_way = answered ? way : given_way_q;
    wire             its_own   = given && op_set == given_set && op_way_i == given_way;

    // ---- the timer ----

    wire [31:0] elapsed = now_i - start_q;
    assign unpin_o = timing_q && elapsed >= PERIOD && (req_valid_i || op_valid_i || fill_valid_i);

    // ---- the table ----

    wire take     = op_valid_i && op_kind_i == TAKE && its_own;
    wire use_way  = take || (op_valid_i && op_kind_i == USE);
    wire drop     = op_valid_i && op_kind_i == DROP;
    wire drop_all = op_valid_i && op_kind_i == DROP_ALL;

    wire [WAYS*WAY_W-1:0] op_rank = rank_q[op_set*WAYS*WAY_W +: WAYS*WAY_W];
    reg  [WAYS*WAY_W-1:0] used_rank;     // as the operation leaves its set
    reg  [WAY_W-1:0]      from;          // the rank that its way had
    reg  [WAYS-1:0]       op_hit;
    reg  [WAYS-1:0]       fill_hit;
    integer               k;
    always @* begin
        from = {WAY_W{1'b0}};
        for (k = 0; k < WAYS; k = k + 1) begin
            op_hit[k] = op_way_i == k[WAY_W-1:0];
            fill_hit[k] = fill_way_i == k[WAY_W-1:0];
            from = from | (op_rank[k*WAY_W +: WAY_W] & {WAY_W{op_hit[k]}});
        end
        for (k = 0; k < WAYS; k = k + 1)
            used_rank[k*WAY_W +: WAY_W] = op_hit[k] ? {WAY_W{1'b0}} :
                op_rank[k*WAY_W +: WAY_W] + (op_rank[k*WAY_W +: WAY_W] < from ? ONE[WAY_W-1:0] : {WAY_W{1'b0}});
    end

    reg [LINES-1:0] op_at;               // the line that each is about
    reg [LINES-1:0] fill_at;
    always @* begin
        op_at = {LINES{1'b0}};
        fill_at = {LINES{1'b0}};
        op_at[op_set*WAYS +: WAYS] = op_hit;
        fill_at[fill_set*WAYS +: WAYS] = fill_hit & {WAYS{fill_valid_i}};
    end

    wire [LINES-1:0] taken    = op_at & {LINES{take}};
    wire [LINES-1:0] gone     = (op_at & {LINES{drop}}) | (~reserved_q & {LINES{drop_all}});
    wire [LINES-1:0] unwanted = fill_at & {LINES{fill_drop_i}};
    wire [LINES-1:0] kept     = ~taken & ~gone;
    wire [LINES-1:0] pinned   = kept & {LINES{!unpin_o}};
    wire             pin_soft = op_pin_i == 2'd1;
    wire             pin_hard = op_pin_i[1];
    wire             begins   = take && |op_hit && |op_pin_i;

    always @(posedge clk_i)
        if (rst_i) begin
            req_valid_q  <= 1'b0;
            req_set_q    <= {SET_W{1'b0}};
            req_bypass_q <= 1'b0;
            given_q      <= 1'b0;
            given_set_q  <= {SET_W{1'b0}};
            given_way_q  <= {WAY_W{1'b0}};
            timing_q     <= 1'b0;
            start_q      <= 32'd0;
            valid_q      <= {LINES{1'b0}};
            reserved_q   <= {LINES{1'b0}};
            soft_q       <= {LINES{1'b0}};
            hard_q       <= {LINES{1'b0}};
        end else begin
            if (req_ready_o)
                req_valid_q <= req_valid_i;
            if (req_ready_o && req_valid_i) begin
                req_set_q    <= req_set_i;
                req_bypass_q <= req_bypass_i;
            end
            given_q     <= given && !take;
            given_set_q <= given_set;
            given_way_q <= given_way;
            timing_q <= begins || (timing_q && !unpin_o);
            if (begins && (!timing_q || unpin_o))
                start_q <= now_i;
            valid_q    <= ((valid_q & kept) | taken) & ~unwanted;
            reserved_q <= ((reserved_q & kept) | (taken & {LINES{op_reserve_i}})) & ~fill_at;
            soft_q     <= ((soft_q & pinned) | (taken & {LINES{pin_soft}})) & ~unwanted;
            hard_q     <= ((hard_q & pinned) | (taken & {LINES{pin_hard}})) & ~unwanted;
        end

    wire [WAYS*WAY_W-1:0] first_rank;    // of a set: way 0 has been used longest ago
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_rank
            localparam [31:0] RANK = WAYS - 1 - g;
            assign first_rank[g*WAY_W +: WAY_W] = RANK[WAY_W-1:0];
        end
    endgenerate

    always @(posedge clk_i)
        if (rst_i)
            rank_q <= {SETS{first_rank}};
        else if (use_way && |op_hit)
            rank_q[op_set*WAYS*WAY_W +: WAYS*WAY_W] <= used_rank;

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    // A response that waits follows the table, so only that it waits can be held against it.
    localparam [31:0] WAYS_N = WAYS;
    reg rsp_waits_was = 1'b0;
    always @(posedge clk_i) begin
        rsp_waits_was <= rsp_valid_o && !rsp_ready_i && !rst_i;
        if (rsp_waits_was) begin : response_holds assert (rsp_valid_o); end
        if (rsp_valid_o && !rst_i) begin
            begin : response_is_busy assert (busy_o); end
            begin : victim_is_a_way assert ({1'b0, rsp_way_o} < WAYS_N[WAY_W:0]); end
            begin : none_is_way_0 assert (rsp_found_o || (!(|rsp_way_o))); end
            begin : bypassed_gets_none assert (!(req_bypass_q && rsp_found_o)); end
        end
        if (!rst_i) begin
            begin : lines_alone_wait_and_are_pinned assert (!(|((reserved_q | soft_q | hard_q) & ~valid_q))); end
            begin : one_pin_a_line assert (!(|(soft_q & hard_q))); end
        end
    end
`endif

`ifdef FORMAL
`ifndef LOCALITY_JOINED  // left out where both blocks are proved together: pin_replacement/pin_bypass_claims.v
    // Proved from reset on, for every input, if now_i counts cycles; any_set is any set, one and other are any ways
    // of it.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [SET_W-1:0] any_set;  // the solver chooses
    (* anyconst *) wire [WAY_W-1:0] one;
    (* anyconst *) wire [WAY_W-1:0] other;
    // verilator lint_on UNDRIVEN
    wire [SET_W-1:0] set = any_set & LAST_SET[SET_W-1:0];
    wire [WAYS-1:0] is_one   = ONE[WAYS-1:0] << one;
    wire [WAYS-1:0] is_other = ONE[WAYS-1:0] << other;
    reg started_q = 1'b0;
    reg [31:0] clock_q;
    always @(posedge clk_i) begin
        started_q <= 1'b1;
        clock_q <= now_i + 32'd1;
    end
    always @* assume (|is_one && |is_other);
    always @* if (!started_q) assume (rst_i);
    always @* if (started_q) assume (now_i == clock_q);

    // The reference for what is given, at the port: by the last response that was taken; and whether its request, and
    // the pending one, bypass.
    reg              asks_bypass_q, last_bypass_q, gives_q;
    reg [SET_W-1:0]  gives_set_q;
    reg [WAY_W-1:0]  gives_way_q;
    wire             ends      = rsp_valid_o && rsp_ready_i;
    wire             bypass    = ends ? asks_bypass_q : last_bypass_q;   // of the last response
    wire             gives     = ends ? rsp_found_o : gives_q;
    wire [SET_W-1:0] gives_set = ends ? req_set : gives_set_q;
    wire [WAY_W-1:0] gives_way = ends ? rsp_way_o : gives_way_q;
    wire             wants     = op_valid_i && op_kind_i == TAKE;
    wire             takes     = wants && gives && op_set == gives_set && op_way_i == gives_way;
    always @(posedge clk_i)
        if (rst_i) begin
            {asks_bypass_q, last_bypass_q, gives_q} <= 3'b000;
            gives_set_q <= {SET_W{1'b0}};
            gives_way_q <= {WAY_W{1'b0}};
        end else begin
            if (req_valid_i && req_ready_o) asks_bypass_q <= req_bypass_i;
            last_bypass_q <= bypass;
            gives_q <= gives && !takes;
            gives_set_q <= gives_set;
            gives_way_q <= gives_way;
        end

    // The reference for one way of the set: what operations and fills have made of it.
    wire at_one   = op_set == set && op_way_i == one;
    wire at_other = op_set == set && op_way_i == other;
    wire filled   = fill_valid_i && fill_set == set && fill_way_i == one;
    reg       there_q, waits_q;
    reg [1:0] pin_q;
    reg       later_q;                   // one has been used after other
    always @(posedge clk_i)
        if (rst_i) begin
            {there_q, waits_q} <= 2'b00;
            pin_q <= 2'd0;
            later_q <= one > other;
        end else begin
            if (unpin_o) pin_q <= 2'd0;
            if (op_valid_i && ((op_kind_i == DROP && at_one) || (op_kind_i == DROP_ALL && !waits_q))) begin
                {there_q, waits_q} <= 2'b00;
                pin_q <= 2'd0;
            end
            if (takes && at_one) begin
                there_q <= 1'b1;
                waits_q <= op_reserve_i;
                pin_q <= op_pin_i;
            end
            if (filled) waits_q <= 1'b0;
            if (filled && fill_drop_i) begin
                there_q <= 1'b0;
                pin_q <= 2'd0;
            end
            if ((takes || (op_valid_i && op_kind_i == USE)) && (at_one || at_other)) later_q <= at_one;
        end

    // The reference for the timer: cycles since the first pin, or since the first after pins have ended. It stays at
    // the cycle after the timer's.
    reg        ticking_q;
    reg [31:0] age_q;
    wire       pins = takes && op_pin_i != 2'd0;
    wire       input_valid = op_valid_i || fill_valid_i || req_valid_i;
    always @(posedge clk_i)
        if (rst_i) begin
            ticking_q <= 1'b0;
            age_q <= 32'd0;
        end else begin
            ticking_q <= pins || (ticking_q && !unpin_o);
            if (pins && (!ticking_q || unpin_o)) age_q <= 32'd1;
            else if (age_q <= PERIOD) age_q <= age_q + 32'd1;
        end

    // What is in the registers of the set.
    wire [WAYS-1:0]       row_valid    = valid_q[set*WAYS +: WAYS];
    wire [WAYS-1:0]       row_reserved = reserved_q[set*WAYS +: WAYS];
    wire [WAYS-1:0]       row_soft     = soft_q[set*WAYS +: WAYS];
    wire [WAYS-1:0]       row_hard     = hard_q[set*WAYS +: WAYS];
    wire [WAYS*WAY_W-1:0] row_rank     = rank_q[set*WAYS*WAY_W +: WAYS*WAY_W];
    wire [WAY_W-1:0]      rank_one     = row_rank[one*WAY_W +: WAY_W];
    wire [WAY_W-1:0]      rank_other   = row_rank[other*WAY_W +: WAY_W];
    wire other_valid = |(row_valid & is_other);
    wire other_free  = !(|(row_reserved & is_other));
    wire other_soft  = |(row_soft & is_other);
    wire other_hard  = |(row_hard & is_other);
    reg [WAYS-1:0] ranks;                // that there are: each once, if all are there
    integer        x;
    always @* begin
        ranks = {WAYS{1'b0}};
        for (x = 0; x < WAYS; x = x + 1)
            ranks = ranks | (ONE[WAYS-1:0] << row_rank[x*WAY_W +: WAY_W]);
    end

    wire answer = rsp_valid_o && req_set == set;
    wire chosen = answer && rsp_found_o && rsp_way_o == one;
    always @*
        if (started_q) begin
            order_is_permutation: assert (&ranks);
            order_is_of_use: assert (one == other || (rank_one < rank_other) == later_q);
            state_is_reference: assert (|(row_valid & is_one) == there_q && |(row_reserved & is_one) == waits_q);
            pins_are_reference: assert (|(row_soft & is_one) == (pin_q == 2'd1) && |(row_hard & is_one) == pin_q[1]);

            given_is_reference: assert (given_q == gives_q && given_set_q == gives_set_q && given_way_q == gives_way_q);
            given_way_exists: assert (!gives_q || |(ONE[WAYS-1:0] << gives_way_q));
            bypass_is_reference: assert (req_bypass_q == asks_bypass_q);

            bypass_is_given_none: assert (!(rsp_valid_o && asks_bypass_q && rsp_found_o));
            bypass_leaves_none: assert (!(last_bypass_q && gives_q));
            given_way_is_not_reserved: assert (!(gives_q && gives_set_q == set && gives_way_q == one && waits_q));
            line_on_its_way_stays: assert (!(takes && at_one && waits_q));
            reserved_is_never_victim: assert (!(chosen && waits_q));
            victim_unless_all_reserved: assert (!(answer && !asks_bypass_q && !rsp_found_o && !waits_q));
            invalid_goes_first: assert (!(chosen && there_q && !other_valid));
            unpinned_before_pinned: assert (!(chosen && pin_q != 2'd0 && other_free && !other_soft && !other_hard));
            soft_before_hard: assert (!(chosen && pin_q[1] && other_free && !other_hard));
            hard_from_lowest_way: assert (!(chosen && pin_q[1] && other_free && other < one));
            invalid_from_lowest_way: assert (!(chosen && !there_q && !other_valid && other < one));
            least_recently_used: assert (!(chosen && there_q && !pin_q[1] && other_free && !other_hard &&
                                           other_soft == (pin_q == 2'd1) && one != other && later_q));
            pin_is_told: assert (!chosen || rsp_pin_o == (pin_q[1] ? 2'd2 : pin_q));

            timer_is_reference: assert (timing_q == ticking_q && (!timing_q || age_q > PERIOD || now_i - start_q == age_q));
            pins_do_not_end_early: assert (!unpin_o || age_q >= PERIOD);
            pins_end_in_time: assert (!(ticking_q && age_q == PERIOD && input_valid && !unpin_o));
        end

    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            request_is_answered: assert (rsp_valid_o == $past((req_valid_i && req_ready_o) || (rsp_valid_o && !rsp_ready_i)));
            if ($past(req_valid_i && req_ready_o))
                answer_is_for_its_set: assert (req_set_q == $past(req_set_i));
            if ($past(rsp_valid_o && !rsp_ready_i)) begin
                response_is_for_one_request: assert ($stable(req_set_q) && $stable(req_bypass_q));
                response_changes_with_a_cause: assert (rsp_way_o == $past(rsp_way_o) || $past(input_valid));
            end
            // A line comes into a set by a response for this set alone, and never by one to a request that bypasses.
            if (|(row_valid & ~$past(row_valid)))
                bypassed_is_never_allocated: assert (!$past(bypass) && $past(gives_set == set));
            // A request leaves the table as it is, but for the end of pins.
            if ($past(!op_valid_i && !fill_valid_i)) begin
                requests_take_nothing: assert ($stable(valid_q) && $stable(reserved_q) && $stable(rank_q));
                requests_pin_nothing: assert (!(|(row_soft & ~$past(row_soft))) && !(|(row_hard & ~$past(row_hard))));
            end
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(!busy_o && !input_valid)) begin
                quiet_request: assert ($stable(req_valid_q) && $stable(req_set_q) && $stable(req_bypass_q));
                quiet_given: assert ($stable(given_q) && $stable(given_set_q) && $stable(given_way_q));
                quiet_timer: assert ($stable(timing_q) && $stable(start_q));
                quiet_state: assert ($stable(valid_q) && $stable(reserved_q) && $stable(soft_q) && $stable(hard_q));
                quiet_order: assert ($stable(rank_q));
            end
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i) begin
            full_set_gives_way_0: cover (chosen && pin_q[1] && one == {WAY_W{1'b0}} && &row_hard && !(|row_reserved));
            full_set_with_way_0_reserved: cover (chosen && pin_q[1] && row_reserved[0] && &row_hard);
            soft_victim_beside_older_hard: cover (chosen && pin_q == 2'd1 && one != other && other_hard && other_free && later_q);
            soft_victim_though_older_is_reserved: cover (chosen && pin_q == 2'd1 && !other_free && later_q);
            no_victim: cover (answer && !asks_bypass_q && !rsp_found_o);
            bypass_beside_free_ways: cover (answer && asks_bypass_q && !(|row_reserved));
            bypassing_line_wants_its_way: cover (bypass && wants && op_set == gives_set && !(|row_reserved));
            taken_at_once: cover (takes && ends && at_one && there_q);
            taken_later: cover (takes && !ends && at_one && there_q);
            wanted_twice: cover (wants && !takes && at_one && there_q && $past(takes && at_one));
            pins_end: cover (unpin_o && |row_hard && |row_soft);
            end_and_new_pin: cover (unpin_o && pins);
            held_response_follows: cover ($past(rsp_valid_o && !rsp_ready_i) && rsp_way_o != $past(rsp_way_o));
            dropped_fill: cover (filled && fill_drop_i && waits_q && pin_q != 2'd0);
        end
`endif
`endif
endmodule
`default_nettype wire
