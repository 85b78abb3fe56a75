// throttle: an SM's part of warp throttling by core sampling: counters, period, message, limit of active warps.
//
// Commits and misses of the kernel that runs are counted; at a period's end they go to the coordinator, unless its
// winner holds already, or a sampling goes on. Orders of the coordinator set a kernel's mode and limit: 0 monitor, 1
// watch (the L1 stays open), 2 sample (a limit for PERIODS periods, then a message), 3 settled (the limit holds until
// the launch ends). A kernel's counters, the rest of its period, its mode and limit stay as they are while another
// kernel runs. If no warp ends for WATCHDOG periods under a settled limit, it is lifted for the next one.
//
// Latency     the message is there in the cycle in which now_i is due_o. A launch, an order and counts show from the
//             next cycle on.
// Throughput  commits, misses, a launch and an order a cycle, in every cycle.
// Handshake   inputs are always taken, and the message too. msg_* depend on now_i and beg_valid_i, busy_o on now_i, all
//             other outputs on registers alone. busy_o is high in the cycle in which a period ends: with it low and no
//             commits, misses, exit, launch or order, no register changes.
// Source      dwt-pric, section 4.2 (a kernel's own time, watch and the watchdog are our design)
// Golden twin csim/hw/twins/throttle.h
`default_nettype none
module throttle #(
    parameter KERNELS  = 8,              // that have counters, 1..64
    parameter PERIOD   = 10000,          // cycles, 2..2^30
    parameter PERIODS  = 4,              // of a sampling, 1..255
    parameter WATCHDOG = 256,            // periods, 0..65535; 0: none
    parameter COUNT_W  = 32,             // bits of a counter, 4..32; it stays at its largest value
    parameter COMMIT_W = 9,              // bits of the commits of a cycle, 1..12, fewer than COUNT_W
    parameter MISS_W   = 2               // bits of the misses of a cycle, 1..6, fewer than COUNT_W
) (
    input  wire                                           clk_i,
    input  wire                                           rst_i,         // synchronous, active high
    input  wire [31:0]                                    now_i,         // the SM's cycle counter
    input  wire [COMMIT_W-1:0]                            commits_i,     // of this cycle
    input  wire [MISS_W-1:0]                              misses_i,      // likewise, of loads in the L1
    input  wire                                           exit_i,        // a warp ends
    input  wire                                           beg_valid_i,   // a launch begins,
    input  wire                                           beg_on_i,      // of a kernel that has counters
    input  wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] beg_slot_i,
    input  wire [6:0]                                     beg_most_i,    // its warps of a scheduler, at most
    input  wire                                           ord_valid_i,   // an order
    input  wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] ord_slot_i,
    input  wire [1:0]                                     ord_mode_i,    // 0 monitor, 1 watch, 2 sample, 3 settled
    input  wire [6:0]                                     ord_limit_i,
    output wire                                           msg_valid_o,   // a message
    output wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] msg_slot_o,
    output wire [COUNT_W-1:0]                             msg_commits_o,
    output wire [COUNT_W-1:0]                             msg_misses_o,
    output wire [6:0]                                     msg_most_o,
    output wire                                           limited_o,     // active warps of a scheduler are limited,
    output wire [6:0]                                     limit_o,       // to so many; never 0
    output wire                                           open_o,        // the watchdog has lifted the limit
    output wire                                           hold_o,        // the L1 is to stay open
    output wire                                           on_o,          // a kernel with counters runs;
    output wire [31:0]                                    due_o,         // its period ends in this cycle
    output wire                                           busy_o
);
    localparam SLOT_W = KERNELS > 2 ? $clog2(KERNELS) : 1;
    localparam [31:0] LENGTH = PERIOD, REST = PERIOD - 1, TRIES = PERIODS, PATIENCE = WATCHDOG, SLOTS = KERNELS;
    localparam [1:0] MONITOR = 2'd0, WATCH = 2'd1, SAMPLE = 2'd2, SETTLED = 2'd3;

    generate
        if (KERNELS < 1 || KERNELS > 64) begin : g_bad_kernels
            ILLEGAL_KERNELS_must_be_1_to_64 u ();
        end
        if (PERIOD < 2 || PERIOD > 1 << 30) begin : g_bad_period
            ILLEGAL_PERIOD_must_be_2_to_2_to_the_30 u ();
        end
        if (PERIODS < 1 || PERIODS > 255) begin : g_bad_periods
            ILLEGAL_PERIODS_must_be_1_to_255 u ();
        end
        if (WATCHDOG < 0 || WATCHDOG > 65535) begin : g_bad_watchdog
            ILLEGAL_WATCHDOG_must_be_0_to_65535 u ();
        end
        if (COUNT_W < 4 || COUNT_W > 32) begin : g_bad_count_w
            ILLEGAL_COUNT_W_must_be_4_to_32 u ();
        end
        if (COMMIT_W < 1 || COMMIT_W > 12 || COMMIT_W >= COUNT_W) begin : g_bad_commit_w
            ILLEGAL_COMMIT_W_must_be_1_to_12_and_less_than_COUNT_W u ();
        end
        if (MISS_W < 1 || MISS_W > 6 || MISS_W >= COUNT_W) begin : g_bad_miss_w
            ILLEGAL_MISS_W_must_be_1_to_6_and_less_than_COUNT_W u ();
        end
    endgenerate

    reg                       on_q;
    reg [SLOT_W-1:0]          slot_q;                 // the kernel that runs,
    reg [6:0]                 most_q;
    reg [31:0]                due_q;
    reg [15:0]                idle_q;                 // periods without a warp's end under the limit
    reg                       open_q;                 // the watchdog's period without it
    reg [KERNELS*31-1:0]      left_q;                 // by kernel: cycles of its period, while it does not run,
    reg [KERNELS*COUNT_W-1:0] commits_q;
    reg [KERNELS*COUNT_W-1:0] misses_q;
    reg [KERNELS*2-1:0]       mode_q;
    reg [KERNELS*7-1:0]       limit_q;
    reg [KERNELS*8-1:0]       rest_q;                 // periods of its sampling that are left

    // ---- the kernel that runs ----

    wire [1:0] mode    = mode_q[slot_q*2 +: 2];
    wire [7:0] rest    = rest_q[slot_q*8 +: 8];
    wire       samples = mode == SAMPLE;
    wire       settled = mode == SETTLED;
    wire       ends    = on_q && now_i == due_q && !beg_valid_i;
    wire       tells   = samples ? rest == 8'd1 : !settled;
    wire       clears  = ends && (!samples || rest <= 8'd1);

    assign msg_valid_o   = ends && tells;
    assign msg_slot_o    = slot_q;
    assign msg_commits_o = commits_q[slot_q*COUNT_W +: COUNT_W];
    assign msg_misses_o  = misses_q[slot_q*COUNT_W +: COUNT_W];
    assign msg_most_o    = most_q;
    assign limited_o     = on_q && (samples || settled) && !open_q;
    assign limit_o       = limit_q[slot_q*7 +: 7];
    assign open_o        = open_q;
    assign hold_o        = on_q && (samples || mode == WATCH);
    assign on_o          = on_q;
    assign due_o         = due_q;
    assign busy_o        = on_q && now_i == due_q;

    // ---- a launch that begins ----

    wire              starts  = beg_valid_i && beg_on_i && {1'b0, beg_slot_i} < SLOTS[SLOT_W:0];
    wire              again   = on_q && beg_slot_i == slot_q;
    wire              anew    = starts && mode_q[beg_slot_i*2 +: 2] == SETTLED;
    wire [31:0]       to_come = due_q - now_i;
    wire [30:0]       saved   = now_i == due_q ? 31'd1 : to_come[30:0];
    wire [30:0]       left    = again ? saved : left_q[beg_slot_i*31 +: 31];
    wire              on_d    = beg_valid_i ? starts : on_q;
    wire [SLOT_W-1:0] slot_d  = starts ? beg_slot_i : slot_q;
    wire              unused  = to_come[31];

    // ---- the watchdog ----

    wire counts = settled && !open_q && WATCHDOG != 0;
    wire lifts  = counts && {1'b0, idle_q} + 17'd1 == PATIENCE[16:0];

    // ---- the counters after this cycle ----

    wire                fresh      = clears || anew;
    wire [COUNT_W-1:0]  commits    = fresh ? {COUNT_W{1'b0}} : commits_q[slot_d*COUNT_W +: COUNT_W];
    wire [COUNT_W-1:0]  misses     = fresh ? {COUNT_W{1'b0}} : misses_q[slot_d*COUNT_W +: COUNT_W];
    wire [COUNT_W:0]    commit_sum = {1'b0, commits} + {{COUNT_W+1-COMMIT_W{1'b0}}, commits_i};
    wire [COUNT_W:0]    miss_sum   = {1'b0, misses} + {{COUNT_W+1-MISS_W{1'b0}}, misses_i};

    integer k;
    always @(posedge clk_i)
        if (rst_i) begin
            on_q      <= 1'b0;
            slot_q    <= {SLOT_W{1'b0}};
            most_q    <= 7'd0;
            due_q     <= 32'd0;
            idle_q    <= 16'd0;
            open_q    <= 1'b0;
            left_q    <= {KERNELS{REST[30:0]}};
            commits_q <= {KERNELS*COUNT_W{1'b0}};
            misses_q  <= {KERNELS*COUNT_W{1'b0}};
            mode_q    <= {KERNELS{MONITOR}};
            limit_q   <= {KERNELS{7'd1}};
            rest_q    <= {KERNELS{8'd0}};
        end else begin
            on_q   <= on_d;
            slot_q <= slot_d;
            if (beg_valid_i) most_q <= beg_most_i;
            if (starts) due_q <= now_i + {1'b0, left};
            else if (ends) due_q <= due_q + LENGTH;

            if (exit_i || beg_valid_i) idle_q <= 16'd0;
            else if (ends) idle_q <= counts && !lifts ? idle_q + 16'd1 : 16'd0;
            if (beg_valid_i) open_q <= 1'b0;
            else if (ends) open_q <= lifts;

            for (k = 0; k < KERNELS; k = k + 1) begin
                if (beg_valid_i && on_q && slot_q == k[SLOT_W-1:0])
                    left_q[k*31 +: 31] <= saved;
                if (on_d && slot_d == k[SLOT_W-1:0]) begin
                    commits_q[k*COUNT_W +: COUNT_W] <= commit_sum[COUNT_W-1:0] | {COUNT_W{commit_sum[COUNT_W]}};
                    misses_q[k*COUNT_W +: COUNT_W]  <= miss_sum[COUNT_W-1:0] | {COUNT_W{miss_sum[COUNT_W]}};
                end
                if (ord_valid_i && ord_slot_i == k[SLOT_W-1:0]) begin
                    mode_q[k*2 +: 2]  <= ord_mode_i;
                    limit_q[k*7 +: 7] <= |ord_limit_i ? ord_limit_i : 7'd1;
                    rest_q[k*8 +: 8]  <= ord_mode_i == SAMPLE ? TRIES[7:0] : 8'd0;
                end else if (anew && beg_slot_i == k[SLOT_W-1:0]) begin
                    mode_q[k*2 +: 2] <= MONITOR;
                end else if (ends && samples && slot_q == k[SLOT_W-1:0]) begin
                    if (rest == 8'd0) mode_q[k*2 +: 2] <= MONITOR;  // nobody has answered the vote
                    else rest_q[k*8 +: 8] <= rest - 8'd1;
                end
            end
        end

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it.
    always @(posedge clk_i)
        if (!rst_i) begin
            begin : limit_is_never_0 assert (!limited_o || |limit_o); end
            begin : lifted_or_limited assert (!(open_o && limited_o)); end
            begin : limit_by_order_alone assert (!limited_o || (on_o && (mode == SAMPLE || mode == SETTLED))); end
            begin : kernel_is_one_of_them assert ({1'b0, msg_slot_o} < SLOTS[SLOT_W:0]); end
            begin : message_at_an_end assert (!msg_valid_o || (on_o && now_i == due_o && busy_o)); end
            begin : settled_sends_nothing assert (!(msg_valid_o && mode == SETTLED)); end
        end
`endif

`ifdef FORMAL
    // Proved from reset on, for every input, while now_i counts the cycles; which is any kernel.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [SLOT_W-1:0] which;          // the solver chooses
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);
    always @* assume ({1'b0, which} < SLOTS[SLOT_W:0]);
    reg [31:0] now_q;
    always @(posedge clk_i) now_q <= now_i;
    always @* if (started_q) assume (now_i == now_q + 32'd1);

    wire [1:0]         its_mode    = mode_q[which*2 +: 2];
    wire [6:0]         its_limit   = limit_q[which*7 +: 7];
    wire [7:0]         its_rest    = rest_q[which*8 +: 8];
    wire [30:0]        its_left    = left_q[which*31 +: 31];
    wire [COUNT_W-1:0] its_commits = commits_q[which*COUNT_W +: COUNT_W];
    wire               runs        = on_q && slot_q == which;
    wire               its_end     = runs && now_i == due_q && !beg_valid_i;
    wire               its_order   = ord_valid_i && ord_slot_i == which;

    // The reference for time: cycles that the kernel has run in since its period began. A launch's message is a cycle
    // on its way; one that comes when a period is to end puts that off by a cycle.
    wire run_next = beg_valid_i ? beg_on_i && beg_slot_i == which : runs;
    reg [31:0] elapsed_q;
    always @(posedge clk_i)
        if (rst_i) elapsed_q <= 32'd1;
        else if (its_end) elapsed_q <= 32'd1;
        else if (runs && beg_valid_i && now_i == due_q) elapsed_q <= run_next ? LENGTH : LENGTH - 32'd1;
        else if (runs && beg_valid_i) elapsed_q <= run_next ? elapsed_q + 32'd1 : elapsed_q;
        else if (runs) elapsed_q <= elapsed_q + 32'd1;
        else if (run_next) elapsed_q <= elapsed_q + 32'd1;

    // The reference for a sampling: ends of periods since it was ordered.
    reg [8:0] tried_q;
    always @(posedge clk_i)
        if (rst_i || its_order) tried_q <= 9'd0;
        else if (its_end && its_mode == SAMPLE) tried_q <= tried_q + 9'd1;

    // The reference for commits: what has come in since they were reported or dropped.
    reg [COUNT_W-1:0] ref_commits_q;
    wire [COUNT_W-1:0] kept_commits = (its_end && !(its_mode == SAMPLE && tried_q + 9'd1 < TRIES[8:0])) ||
                                      (beg_valid_i && run_next && its_mode == SETTLED) ? {COUNT_W{1'b0}} : ref_commits_q;
    wire [COUNT_W:0] more_commits = {1'b0, kept_commits} + {{COUNT_W+1-COMMIT_W{1'b0}}, commits_i};
    always @(posedge clk_i)
        if (rst_i) ref_commits_q <= {COUNT_W{1'b0}};
        else if (run_next) ref_commits_q <= more_commits[COUNT_W] ? {COUNT_W{1'b1}} : more_commits[COUNT_W-1:0];

    reg     limits;                                  // of no kernel is it 0
    integer t;
    always @* begin
        limits = 1'b1;
        for (t = 0; t < KERNELS; t = t + 1)
            if (limit_q[t*7 +: 7] == 7'd0) limits = 1'b0;
    end

    always @*
        if (started_q) begin
            no_limit_is_0: assert (limits);
            sampling_is_bounded: assert (its_mode != SAMPLE || (tried_q <= TRIES[8:0] && {1'b0, its_rest} + tried_q == TRIES[8:0]));
            period_is_not_missed: assert (!runs || due_q - now_i < LENGTH);
            period_has_its_length: assert (runs ? due_q - now_i + elapsed_q == LENGTH : {1'b0, its_left} + elapsed_q == LENGTH);
            rest_is_part_of_a_period: assert (runs || (its_left >= 31'd1 && {1'b0, its_left} < LENGTH));
            commits_are_reference: assert (its_commits == ref_commits_q);
            message_has_all_commits: assert (!(msg_valid_o && msg_slot_o == which) || msg_commits_o == ref_commits_q);
            patience_ends: assert (WATCHDOG == 0 ? idle_q == 16'd0 && !open_q : {16'd0, idle_q} < PATIENCE);
        end

    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(its_end && its_mode == SAMPLE && tried_q == TRIES[8:0] && !its_order))
                unanswered_vote_ends_sampling: assert (its_mode == MONITOR);
            if ($past(its_order))
                order_is_obeyed: assert (its_mode == $past(ord_mode_i) && (its_limit == $past(ord_limit_i) || its_limit == 7'd1));
            if ($past(beg_valid_i && beg_on_i && beg_slot_i == which && its_mode == SETTLED && !its_order))
                launch_begins_open: assert (!limited_o && its_mode == MONITOR);
            if ($past(ends && counts && !exit_i && {16'd0, idle_q} + 32'd1 == PATIENCE))
                limit_is_lifted: assert (open_q && !limited_o);
            if ($past(ends && open_q))
                for_a_period: assert (!open_q);
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(!busy_o && !(|commits_i) && !(|misses_i) && !exit_i && !beg_valid_i && !ord_valid_i)) begin
                quiet: assert ($stable(on_q) && $stable(slot_q) && $stable(most_q) && $stable(due_q) && $stable(idle_q) &&
                               $stable(open_q));
                quiet_kernels: assert ($stable(left_q) && $stable(commits_q) && $stable(misses_q) && $stable(mode_q) &&
                                       $stable(limit_q) && $stable(rest_q));
            end
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            voted: cover (msg_valid_o && samples && msg_commits_o == {COUNT_W{1'b1}});
            taken_up_again: cover (its_end && its_mode == SAMPLE && its_rest == 8'd1 && $past(beg_valid_i && !runs, 2));
            unanswered: cover ($past(its_end && its_mode == SAMPLE && its_rest == 8'd0) && its_mode == MONITOR);
            lifted: cover (open_q && $past(open_q, 2));
            put_off: cover (runs && now_i == due_q && beg_valid_i && beg_slot_i == which && beg_on_i);
            relaunched: cover ($past(anew && runs && beg_slot_i == which));
        end
`endif
endmodule
`default_nettype wire
