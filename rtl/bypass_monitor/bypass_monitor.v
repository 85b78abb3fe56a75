// bypass_monitor: decides by the miss rate of a period whether the next period's loads go past a cache.
//
// Loads of a period, and those that missed, are counted; in the period's last cycle they are compared, that cycle's
// load among them: 100 x misses > RATE x loads, by shifts and sums. A period without loads changes nothing. While
// hold_i is high the cache is not bypassed and nothing counts; a period of which it was high in any cycle is not
// judged.
//
// Latency     bypass_o follows a period from the first cycle of the next one on, and hold_i at once.
// Throughput  a load a cycle. So no counter overflows: a period has at most PERIOD loads.
// Handshake   none; a load is always taken. Outputs depend on hold_i and registers alone. The block has to be stepped
//             in cycles with a load, in the last one of every period, in one in which hold_i differs from the cycle
//             before, and while busy_o is high: in all others no register changes.
// Source      dwt-pric, section 4.1 (hold_i and the stepping are our design)
// Golden twin csim/hw/twins/bypass_monitor.h
`default_nettype none
module bypass_monitor #(
    parameter RATE   = 90,               // %, 1..99
    parameter PERIOD = 10000             // cycles, 2..2^30
) (
    input  wire                      clk_i,
    input  wire                      rst_i,        // synchronous, active high
    input  wire [$clog2(PERIOD)-1:0] now_i,        // low bits of the cycle; the first period begins with cycle 0
    input  wire                      acc_valid_i,  // a load is accepted,
    input  wire                      acc_miss_i,   // whose line is neither there, data or not, nor on its way
    input  wire                      hold_i,       // the cache is held open
    output wire                      bypass_o,     // this cycle's load goes past the cache
    output wire                      open_o,       // event: the cache is used again; drop its lines without data
    output wire                      busy_o
);
    localparam NOW_W   = $clog2(PERIOD);
    localparam COUNT_W = $clog2(PERIOD + 1);
    localparam SCALED  = COUNT_W + 7;              // bits of 100 times a count
    localparam [31:0]        STEP = PERIOD, BEFORE = PERIOD - 1, PERCENT = RATE;
    localparam [COUNT_W-1:0] ZERO = 0;

    generate
        if (RATE < 1 || RATE > 99) begin : g_bad_rate
            ILLEGAL_RATE_must_be_1_to_99 u ();
        end
        if (PERIOD < 2 || PERIOD > 1073741824) begin : g_bad_period
            ILLEGAL_PERIOD_must_be_2_to_1073741824 u ();
        end
    endgenerate

    reg [COUNT_W-1:0] loads_q;           // of this period,
    reg [COUNT_W-1:0] misses_q;          // and those of them that missed
    reg [NOW_W-1:0]   last_q;            // its last cycle
    reg               bypass_q;
    reg               opened_q;          // by the period that has just ended
    reg               cut_q;             // this period has been held open

    // ---- the decision: 100 = 64 + 32 + 4, and RATE by its bits ----

    wire [COUNT_W-1:0] loads  = loads_q + {{COUNT_W-1{1'b0}}, acc_valid_i};
    wire [COUNT_W-1:0] misses = misses_q + {{COUNT_W-1{1'b0}}, acc_valid_i && acc_miss_i};
    wire [SCALED-1:0]  missed = {1'b0, misses, 6'd0} + {2'd0, misses, 5'd0} + {5'd0, misses, 2'd0};
    reg  [SCALED-1:0]  allowed;
    integer            b;
    always @* begin
        allowed = {SCALED{1'b0}};
        for (b = 0; b < 7; b = b + 1)
            if (PERCENT[b])
                allowed = allowed + ({7'd0, loads} << b);
    end

    // ---- the period ----

    wire last     = now_i == last_q;
    wire counts   = !hold_i && !cut_q;
    wire judged   = last && counts && loads != ZERO;
    wire bypass_d = !hold_i && (judged ? missed > allowed : bypass_q);

    assign bypass_o = bypass_q && !hold_i;
    assign open_o   = opened_q || (bypass_q && hold_i);
    assign busy_o   = opened_q || (hold_i && !cut_q);

    always @(posedge clk_i)
        if (rst_i) begin
            loads_q  <= ZERO;
            misses_q <= ZERO;
            last_q   <= BEFORE[NOW_W-1:0];
            bypass_q <= 1'b0;
            opened_q <= 1'b0;
            cut_q    <= 1'b0;
        end else begin
            loads_q  <= counts && !last ? loads : ZERO;
            misses_q <= counts && !last ? misses : ZERO;
            last_q   <= last ? last_q + STEP[NOW_W-1:0] : last_q;
            bypass_q <= bypass_d;
            opened_q <= judged && bypass_q && !bypass_d;
            cut_q    <= !last && (hold_i || cut_q);
        end

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it.
    always @(posedge clk_i)
        if (!rst_i) begin
            begin : hold_opens assert (!(hold_i && bypass_o)); end
            begin : open_or_bypassed assert (!(open_o && bypass_o)); end
            begin : one_of_both assert (!(opened_q && bypass_q)); end
        end
`endif

`ifdef FORMAL
    // Proved from reset on, for every input, if the block is stepped as it asks for: cycles may be left out in which it
    // has nothing to do. ref_* are of the block's cycles, counted without bounds that could hide an overflow.
    // verilator lint_off UNDRIVEN
    (* anyseq *) wire [NOW_W-1:0] skip;            // cycles left out ahead of this one: the solver chooses
    // verilator lint_on UNDRIVEN
    localparam WIDE = 32;
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);

    // ---- the reference: the period as a position that counts up to PERIOD, loads and misses in wide counters ----

    reg [WIDE-1:0]  at_q, ref_loads_q, ref_misses_q;   // cycles of this period that are over; what came in them
    reg [NOW_W-1:0] now_q;                             // the cycle that is due if none is left out
    reg             was_held_q, ref_void_q;            // hold_i in the cycle before; in any of this period
    wire [WIDE-1:0] at         = at_q + {{WIDE-NOW_W{1'b0}}, skip};
    wire            ends       = at == BEFORE;
    wire            idle       = !acc_valid_i && !busy_o && hold_i == was_held_q;
    wire [WIDE-1:0] ref_loads  = ref_loads_q + {{WIDE-1{1'b0}}, acc_valid_i};
    wire [WIDE-1:0] ref_misses = ref_misses_q + {{WIDE-1{1'b0}}, acc_valid_i && acc_miss_i};
    wire            ref_void   = ref_void_q || hold_i;
    always @* assume (rst_i || (at <= BEFORE && now_i == now_q + skip));
    always @(posedge clk_i)
        if (rst_i) begin
            at_q         <= 0;
            now_q        <= 0;
            ref_loads_q  <= 0;
            ref_misses_q <= 0;
            was_held_q   <= 1'b0;
            ref_void_q   <= 1'b0;
        end else begin
            at_q         <= ends ? 0 : at + 1;
            now_q        <= now_i + {{NOW_W-1{1'b0}}, 1'b1};
            ref_loads_q  <= ends ? 0 : ref_loads;
            ref_misses_q <= ends ? 0 : ref_misses;
            was_held_q   <= hold_i;
            ref_void_q   <= !ends && ref_void;
        end
    // A cycle is left out only where the block has nothing to do: not what a period's first cycle must show.
    always @* assume (rst_i || skip == 0 || !(opened_q || (was_held_q && !cut_q)));

    // ---- registers ----

    wire [WIDE-1:0] held_loads  = {{WIDE-COUNT_W{1'b0}}, loads_q};
    wire [WIDE-1:0] held_misses = {{WIDE-COUNT_W{1'b0}}, misses_q};

    always @*
        if (started_q && !rst_i) begin
            position_in_range: assert (at_q <= BEFORE);
            end_is_ahead: assert (last_q == now_q + (BEFORE[NOW_W-1:0] - at_q[NOW_W-1:0]));
            end_of_period_is_known: assert (last == ends);
            cut_is_known: assert (cut_q == ref_void_q);
            loads_in_range: assert (held_loads <= STEP && held_loads <= at_q);
            misses_in_range: assert (misses_q <= loads_q);
            loads_are_counted: assert (cut_q || held_loads == ref_loads_q);
            misses_are_counted: assert (cut_q || held_misses == ref_misses_q);
            nothing_counts_when_held: assert (!cut_q || (loads_q == ZERO && misses_q == ZERO));
        end

    // ---- the decision: the exact inequality over naturals, changed at a period's end and by hold alone ----

    wire over = 32'd100 * ref_misses > PERCENT * ref_loads;
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(ends && !ref_void && ref_loads != 0))
                decision_is_the_inequality: assert (bypass_q == $past(over));
            if ($past(!ends && !hold_i))
                changes_at_the_end_alone: assert (bypass_q == $past(bypass_q));
            if ($past(!hold_i && ref_loads == 0))
                empty_period_changes_nothing: assert (bypass_q == $past(bypass_q));
            if ($past(!hold_i && ref_void))
                void_period_changes_nothing: assert (bypass_q == $past(bypass_q));
            if ($past(hold_i))
                held_is_open: assert (!bypass_q);
            // The event comes in the first cycle in which a cache that was bypassed is not, and once. Beside it in a
            // hold's first cycle that would have been the first bypassed one: there is nothing to drop then.
            if ($past(bypass_o) && !bypass_o)
                open_is_the_first: assert (open_o);
            if (open_o)
                open_has_a_cause: assert (!bypass_o && ($past(bypass_o) || (hold_i && !$past(hold_i))));
            if ($past(open_o))
                open_comes_once: assert (!open_o);
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(idle && !last)) begin
                quiet_counts: assert ($stable(loads_q) && $stable(misses_q) && $stable(last_q));
                quiet_flags: assert ($stable(bypass_q) && $stable(opened_q) && $stable(cut_q));
            end
        end

    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            begins: cover (bypass_o && !$past(bypass_o));
            ends_by_a_period: cover (open_o && !hold_i);
            ends_by_hold: cover (open_o && hold_i);
            full_period: cover (last && loads == BEFORE[COUNT_W-1:0] + {{COUNT_W-1{1'b0}}, 1'b1} && counts);
            on_the_threshold: cover (judged && missed == allowed);
            empty_while_bypassed: cover (last && counts && loads == ZERO && bypass_q);
            let_go_with_a_period: cover ($past(last && hold_i) && !hold_i && counts);
            let_go_within: cover ($past(hold_i && !last) && !hold_i && acc_valid_i && cut_q);
            judged_after_hold: cover (judged && missed > allowed && ref_loads_q != 0);
            left_out: cover (skip != 0 && bypass_o && last);
        end
`endif
endmodule
`default_nettype wire
