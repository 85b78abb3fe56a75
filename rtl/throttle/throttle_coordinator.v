// throttle_coordinator: decides, for all SMs, how many warps may be active: DWT-CS's threshold, sampling and maximum.
//
// A batch is a message of each SM, taken in turn. Of a kernel that is monitored the misses are held against the
// threshold; after N batches above it on end the SMs sample: SM j gets number 1 + j mod K, K the smaller of SMS and the
// warps that there are, and a batch later the number with the most commits an SM wins. The largest number of a round is
// sampled on from: base + 1, base + 2 .. for as many SMs as there are numbers, base for the rest. A batch ends in an
// order to each SM, in turn. SMs with one number have their turns one after the other, so a sum at a time is kept.
//
// Latency     the last message in cycle t: the decision in t + 2, orders from t + 3 on.
// Throughput  a message a cycle, an order a cycle; a batch every 2*SMS + 2 cycles.
// Handshake   ready/valid on messages and orders; turn_o says of which SM. All outputs depend on registers alone.
//             busy_o is high from the last message to the last order: with it low and no message, no register changes.
// Source      dwt-pric, section 4.2 (several SMs a number and the means of their commits are our design)
// Golden twin csim/hw/twins/throttle_coordinator.h
`default_nettype none
module throttle_coordinator #(
    parameter SMS        = 15,           // 2..256
    parameter KERNELS    = 8,            // that have a mode, 1..64
    parameter N          = 2,            // batches above the threshold on end before a sampling, 1..15
    parameter THRESHOLD  = 10,           // misses per kilo, 0..65535
    parameter PER_CYCLES = 0,            // 0: per kilo commits; else per kilo cycles, of so many, 0..2^30
    parameter ANY        = 0,            // 1: of any SM, in place of the sums
    parameter COUNT_W    = 32            // bits of commits and of misses, 4..32
) (
    input  wire                                           clk_i,
    input  wire                                           rst_i,         // synchronous, active high
    input  wire                                           msg_valid_i,   // a message of SM turn_o
    input  wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] msg_slot_i,
    input  wire [COUNT_W-1:0]                             msg_commits_i,
    input  wire [COUNT_W-1:0]                             msg_misses_i,
    input  wire [6:0]                                     msg_most_i,    // warps of a scheduler, at most
    input  wire                                           ord_ready_i,
    output wire                                           msg_ready_o,
    output wire [(SMS > 2 ? $clog2(SMS) : 1)-1:0]         turn_o,
    output wire                                           ord_valid_o,   // an order for SM turn_o
    output wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] ord_slot_o,
    output wire [1:0]                                     ord_mode_o,    // 0 monitor, 1 watch, 2 sample, 3 settled
    output wire [6:0]                                     ord_limit_o,   // never 0
    output wire                                           dec_valid_o,   // a decision, of kernel ord_slot_o:
    output wire [1:0]                                     dec_mode_o,
    output wire                                           dec_above_o,   // its misses were above the threshold,
    output wire                                           dec_voted_o,   // it was sampled,
    output wire [6:0]                                     dec_winner_o,  // and this number has won
    output wire                                           busy_o
);
    localparam SLOT_W  = KERNELS > 2 ? $clog2(KERNELS) : 1;
    localparam SM_W    = SMS > 2 ? $clog2(SMS) : 1;
    localparam SMS_W   = $clog2(SMS + 1);
    localparam SUM_W   = COUNT_W + SM_W;
    localparam RATE_W  = SUM_W + SMS_W + 48;          // holds both sides of each comparison
    localparam [31:0] LAST = SMS - 1, ALL = SMS, SLOTS = KERNELS, RUN = N, RATE = THRESHOLD, CYCLES = PER_CYCLES;
    localparam [1:0] COLLECT = 2'd0, LATER = 2'd1, DECIDE = 2'd2, SEND = 2'd3;
    localparam [1:0] MONITOR = 2'd0, WATCH = 2'd1, SAMPLE = 2'd2, SETTLED = 2'd3;

    generate
        if (SMS < 2 || SMS > 256) begin : g_bad_sms
            ILLEGAL_SMS_must_be_2_to_256 u ();
        end
        if (KERNELS < 1 || KERNELS > 64) begin : g_bad_kernels
            ILLEGAL_KERNELS_must_be_1_to_64 u ();
        end
        if (N < 1 || N > 15) begin : g_bad_n
            ILLEGAL_N_must_be_1_to_15 u ();
        end
        if (THRESHOLD < 0 || THRESHOLD > 65535) begin : g_bad_threshold
            ILLEGAL_THRESHOLD_must_be_0_to_65535 u ();
        end
        if (PER_CYCLES < 0 || PER_CYCLES > 1 << 30) begin : g_bad_per_cycles
            ILLEGAL_PER_CYCLES_must_be_0_to_2_to_the_30 u ();
        end
        if (ANY < 0 || ANY > 1) begin : g_bad_any
            ILLEGAL_ANY_must_be_0_or_1 u ();
        end
        if (COUNT_W < 4 || COUNT_W > 32) begin : g_bad_count_w
            ILLEGAL_COUNT_W_must_be_4_to_32 u ();
        end
    endgenerate

    reg [1:0]           phase_q;
    reg [SM_W-1:0]      sm_q;                         // whose turn it is,
    reg [6:0]           number_q;                     // and its number of warps
    reg [SLOT_W-1:0]    slot_q;                       // the batch: its kernel,
    reg [6:0]           most_q;
    reg [SUM_W-1:0]     commits_q;                    // sums over the SMs,
    reg [SUM_W-1:0]     misses_q;
    reg [SMS_W-1:0]     working_q;                    // SMs with work,
    reg                 above_q;                      // one of them above the threshold
    reg [6:0]           own_q;                        // the number at hand,
    reg [SUM_W-1:0]     own_sum_q;
    reg [SMS_W-1:0]     own_sms_q;
    reg [6:0]           best_q;                       // and the best one before it
    reg [SUM_W-1:0]     best_sum_q;
    reg [SMS_W-1:0]     best_sms_q;
    reg [1:0]           order_q;                      // the decision
    reg [KERNELS-1:0]   samples_q;                    // by kernel: it is being sampled,
    reg [KERNELS-1:0]   settled_q;                    // it has a winner,
    reg [KERNELS*4-1:0] run_q;                        // batches above the threshold on end,
    reg [KERNELS*7-1:0] base_q;                       // the winner so far, 0: none,
    reg [KERNELS*7-1:0] top_q;                        // the warps that there are, of its sampling

    wire collects = phase_q == COLLECT;
    wire decides  = phase_q == DECIDE;
    wire sends    = phase_q == SEND;
    wire first    = sm_q == {SM_W{1'b0}};
    wire take     = msg_valid_i && collects;

    // ---- the kernel, and which SM has how many warps ----

    wire [SLOT_W-1:0] asked = collects && first ? msg_slot_i : slot_q;
    wire [SLOT_W-1:0] slot  = {1'b0, asked} < SLOTS[SLOT_W:0] ? asked : {SLOT_W{1'b0}};
    wire [6:0]        base  = base_q[slot*7 +: 7];
    wire [6:0]        top   = top_q[slot*7 +: 7];
    wire              samples = samples_q[slot];

    wire [8:0] reach  = |base ? {2'd0, base} + LAST[8:0] : ALL[8:0];
    wire [8:0] limit  = {2'd0, top} < reach ? {2'd0, top} : reach;
    wire [6:0] final_number = limit[6:0];             // the largest one of the round: at most top

    // In the first round the turns go in steps of as many SMs as there are numbers, and begin one SM further for each.
    wire [6:0]      number   = collects && first ? base + 7'd1 : number_q;
    wire            deals    = samples && !(|base);
    wire [8:0]      step     = {{9-SM_W{1'b0}}, sm_q} + (deals ? limit : 9'd1);
    wire            row_ends = step >= ALL[8:0];
    wire            back     = number == base || number == final_number;
    wire            last     = row_ends && (!deals || number == final_number);
    wire            ups      = samples && (deals ? row_ends : !back);
    wire [6:0]      number_d = ups ? number + 7'd1 : samples && |base ? base : number;
    wire [8:0]      next_row = {2'd0, number};
    wire [SM_W-1:0] sm_d     = last ? {SM_W{1'b0}} : row_ends ? next_row[SM_W-1:0] : step[SM_W-1:0];
    wire            unused   = &{1'b0, limit[8:7], next_row};

    // ---- sums, threshold, the better of two numbers ----

    wire                 works    = |msg_commits_i;
    wire                 goes_on  = !first && number == own_q;
    wire [SUM_W-1:0]     commits  = {{SM_W{1'b0}}, msg_commits_i};
    wire [RATE_W-1:0]    base_all = PER_CYCLES != 0 ? {{RATE_W-SMS_W{1'b0}}, working_q} * {{RATE_W-32{1'b0}}, CYCLES}
                                                     : {{RATE_W-SUM_W{1'b0}}, commits_q};
    wire [RATE_W-1:0]    base_one = PER_CYCLES != 0 ? {{RATE_W-32{1'b0}}, CYCLES} : {{RATE_W-COUNT_W{1'b0}}, msg_commits_i};
    wire                 above_one = {{RATE_W-COUNT_W{1'b0}}, msg_misses_i} * {{RATE_W-10{1'b0}}, 10'd1000} >
                                     base_one * {{RATE_W-32{1'b0}}, RATE};
    wire                 above_all = {{RATE_W-SUM_W{1'b0}}, misses_q} * {{RATE_W-10{1'b0}}, 10'd1000} >
                                     base_all * {{RATE_W-32{1'b0}}, RATE};
    wire                 above    = ANY != 0 ? above_q : above_all;

    wire [SUM_W+SMS_W-1:0] own_side  = {{SMS_W{1'b0}}, own_sum_q} * {{SUM_W{1'b0}}, best_sms_q};
    wire [SUM_W+SMS_W-1:0] best_side = {{SMS_W{1'b0}}, best_sum_q} * {{SUM_W{1'b0}}, own_sms_q};
    wire                   better    = |own_sms_q && (!(|best_sms_q) || own_side > best_side);
    wire                   compares  = phase_q == LATER || (take && !first && !goes_on);

    // ---- the decision ----

    wire [3:0] run      = run_q[slot_q*4 +: 4];
    wire       enough   = {1'b0, run} + 5'd1 == RUN[4:0];
    wire       further  = best_q == final_number && best_q < top;
    wire [1:0] judged   = !above ? MONITOR : settled_q[slot_q] ? SETTLED : enough ? SAMPLE : WATCH;
    wire [1:0] voted    = !(|best_sms_q) ? MONITOR : further ? SAMPLE : SETTLED;
    wire [1:0] decision = samples ? voted : judged;
    wire [6:0] base_d   = decision == SAMPLE && !samples ? 7'd0 : samples ? best_q : base;
    wire [6:0] number_0 = decision == SAMPLE ? base_d + 7'd1 : |base_d ? base_d : 7'd1;

    assign msg_ready_o  = collects;
    assign turn_o       = sm_q;
    assign ord_valid_o  = sends;
    assign ord_slot_o   = slot_q;
    assign ord_mode_o   = order_q;
    assign ord_limit_o  = number_q;
    assign dec_valid_o  = decides;
    assign dec_mode_o   = decides ? decision : MONITOR;
    assign dec_above_o  = decides && above;
    assign dec_voted_o  = decides && samples;
    assign dec_winner_o = decides ? best_q : 7'd0;
    assign busy_o       = !collects;

    integer k;
    always @(posedge clk_i)
        if (rst_i) begin
            phase_q    <= COLLECT;
            sm_q       <= {SM_W{1'b0}};
            number_q   <= 7'd0;
            slot_q     <= {SLOT_W{1'b0}};
            most_q     <= 7'd0;
            commits_q  <= {SUM_W{1'b0}};
            misses_q   <= {SUM_W{1'b0}};
            working_q  <= {SMS_W{1'b0}};
            above_q    <= 1'b0;
            own_q      <= 7'd0;
            own_sum_q  <= {SUM_W{1'b0}};
            own_sms_q  <= {SMS_W{1'b0}};
            best_q     <= 7'd0;
            best_sum_q <= {SUM_W{1'b0}};
            best_sms_q <= {SMS_W{1'b0}};
            order_q    <= MONITOR;
            samples_q  <= {KERNELS{1'b0}};
            settled_q  <= {KERNELS{1'b0}};
            run_q      <= {KERNELS{4'd0}};
            base_q     <= {KERNELS{7'd0}};
            top_q      <= {KERNELS{7'd0}};
        end else begin
            if (take) begin
                own_q     <= number;
                own_sum_q <= (goes_on ? own_sum_q : {SUM_W{1'b0}}) + commits;
                own_sms_q <= (goes_on ? own_sms_q : {SMS_W{1'b0}}) + {{SMS_W-1{1'b0}}, works};
                commits_q <= (first ? {SUM_W{1'b0}} : commits_q) + commits;
                misses_q  <= (first ? {SUM_W{1'b0}} : misses_q) + {{SM_W{1'b0}}, msg_misses_i};
                working_q <= (first ? {SMS_W{1'b0}} : working_q) + {{SMS_W-1{1'b0}}, works};
                above_q   <= (!first && above_q) || (works && above_one);
                slot_q    <= slot;
                most_q    <= msg_most_i;
            end
            if (take && first) begin
                best_q     <= 7'd0;
                best_sum_q <= {SUM_W{1'b0}};
                best_sms_q <= {SMS_W{1'b0}};
            end else if (compares && better) begin
                best_q     <= own_q;
                best_sum_q <= own_sum_q;
                best_sms_q <= own_sms_q;
            end

            if (decides) begin
                number_q <= number_0;
                order_q  <= decision;
            end
            if (take || (sends && ord_ready_i)) begin
                number_q <= number_d;
                sm_q     <= sm_d;
            end
            case (phase_q)
                COLLECT: if (take && last) phase_q <= LATER;
                LATER:   phase_q <= DECIDE;
                DECIDE:  phase_q <= SEND;
                default: if (ord_ready_i && last) phase_q <= COLLECT;
            endcase

            for (k = 0; k < KERNELS; k = k + 1)
                if (decides && slot_q == k[SLOT_W-1:0]) begin
                    samples_q[k]      <= decision == SAMPLE;
                    run_q[k*4 +: 4]   <= decision == WATCH ? run + 4'd1 : 4'd0;
                    base_q[k*7 +: 7]  <= base_d;
                    if (samples) settled_q[k] <= decision == SETTLED;
                    if (decision == SAMPLE && !samples) top_q[k*7 +: 7] <= |most_q ? most_q : 7'd1;
                end
        end

`ifdef ASSERTIONS
    // Whatever comes in: simulation and lockstep check it, proofs prove it. *_was: of the cycle before.
    reg              ord_waits_was = 1'b0, dec_valid_was = 1'b0;
    reg [SM_W-1:0]   turn_was;
    reg [SLOT_W-1:0] ord_slot_was;
    reg [1:0]        ord_mode_was;
    reg [6:0]        ord_limit_was;
    always @(posedge clk_i) begin
        ord_waits_was <= ord_valid_o && !ord_ready_i && !rst_i;
        dec_valid_was <= dec_valid_o && !rst_i;
        turn_was      <= turn_o;
        ord_slot_was  <= ord_slot_o;
        ord_mode_was  <= ord_mode_o;
        ord_limit_was <= ord_limit_o;
        if (ord_waits_was) begin : order_holds
            assert (ord_valid_o && turn_o == turn_was && ord_slot_o == ord_slot_was && ord_mode_o == ord_mode_was &&
                    ord_limit_o == ord_limit_was);
        end
        if (dec_valid_was) begin : orders_follow_a_decision assert (ord_valid_o && !dec_valid_o); end
        if (!rst_i) begin
            begin : turn_is_an_sm assert ({1'b0, turn_o} <= LAST[SM_W:0]); end
            begin : kernel_is_one_of_them assert ({1'b0, ord_slot_o} < SLOTS[SLOT_W:0]); end
            begin : limit_is_never_0 assert (!ord_valid_o || |ord_limit_o); end
            begin : one_at_a_time assert (!(msg_ready_o && ord_valid_o) && msg_ready_o != busy_o); end
        end
    end
`endif

`ifdef FORMAL
    // Proved from reset on, for every input; any_sm is any SM, any_number any number of warps, which any kernel.
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [SM_W-1:0]   any_sm;         // the solver chooses
    (* anyconst *) wire [6:0]        any_number;
    (* anyconst *) wire [SLOT_W-1:0] which;
    // verilator lint_on UNDRIVEN
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);
    always @* assume ({1'b0, any_sm} <= LAST[SM_W:0] && {1'b0, which} < SLOTS[SLOT_W:0]);

    // The reference for a vote, of any number: commits of the SMs with that number, how many of these had work. The
    // number of SM j, by a division in the first round. Numbers come in an order of their own: the winner so far last.
    wire [15:0] j      = {{16-SM_W{1'b0}}, sm_q};
    wire [15:0] stated = number_of(j);
    function [15:0] number_of(input [15:0] sm);
        number_of = !(|base) ? sm % {9'd0, final_number} + 16'd1
                             : {9'd0, base} + 16'd1 + sm <= {9'd0, final_number} && sm < LAST[15:0]
                                   ? {9'd0, base} + 16'd1 + sm : {9'd0, base};
    endfunction
    function [7:0] place(input [6:0] of);
        place = |base && of == base ? 8'd200 : {1'b0, of};
    endfunction
    wire        is_any     = stated == {9'd0, any_number};
    reg [SUM_W-1:0] ref_sum_q;
    reg [SMS_W-1:0] ref_sms_q;
    wire            ref_any = |ref_sms_q;
    always @(posedge clk_i)
        if (rst_i) begin
            ref_sum_q <= {SUM_W{1'b0}};
            ref_sms_q <= {SMS_W{1'b0}};
        end else if (take) begin
            ref_sum_q <= (first ? {SUM_W{1'b0}} : ref_sum_q) + (is_any ? commits : {SUM_W{1'b0}});
            ref_sms_q <= (first ? {SMS_W{1'b0}} : ref_sms_q) + {{SMS_W-1{1'b0}}, is_any && works};
        end
    wire [SUM_W+SMS_W-1:0] ref_side  = {{SMS_W{1'b0}}, ref_sum_q} * {{SUM_W{1'b0}}, best_sms_q};
    wire [SUM_W+SMS_W-1:0] win_side  = {{SMS_W{1'b0}}, best_sum_q} * {{SUM_W{1'b0}}, ref_sms_q};
    wire                   votes     = decides && samples;

    // The reference for orders: those that the SM has had since the decision.
    reg [1:0] got_q;
    reg [1:0] its_order_q;
    always @(posedge clk_i)
        if (rst_i) {got_q, its_order_q} <= {2'd1, MONITOR};
        else if (decides) got_q <= 2'd0;
        else if (ord_valid_o && ord_ready_i && turn_o == any_sm) {got_q, its_order_q} <= {got_q + 2'd1, ord_mode_o};

    // The reference for the threshold: sums over the batch.
    reg [SUM_W-1:0] all_commits_q, all_misses_q;
    always @(posedge clk_i)
        if (rst_i) {all_commits_q, all_misses_q} <= {2*SUM_W{1'b0}};
        else if (take) begin
            all_commits_q <= (first ? {SUM_W{1'b0}} : all_commits_q) + commits;
            all_misses_q  <= (first ? {SUM_W{1'b0}} : all_misses_q) + {{SM_W{1'b0}}, msg_misses_i};
        end

    // The reference for turns: how often the SM has been heard since the batch began, and whether its turn is to come.
    reg [1:0] heard_q;
    always @(posedge clk_i)
        if (rst_i) heard_q <= 2'd0;
        else if (take) heard_q <= (first ? 2'd0 : heard_q) + {1'b0, sm_q == any_sm};
    wire [15:0] any_sms    = number_of({{16-SM_W{1'b0}}, any_sm});
    wire        ahead      = samples && !(|base) && any_sms != {9'd0, number} ? any_sms > {9'd0, number} : any_sm >= sm_q;

    // What holds in the midst of a sampled kernel's batch.
    wire        mid     = !(collects && first) && !sends && samples;
    wire        passed  = decides || place(any_number) < place(own_q);
    wire        at_hand = !decides && any_number == own_q;
    reg [SM_W-1:0] latest_q;
    always @(posedge clk_i) if (take) latest_q <= sm_q;

    reg         tables;
    integer     t;
    always @* begin
        tables = 1'b1;
        for (t = 0; t < KERNELS; t = t + 1) begin
            if (samples_q[t] && (settled_q[t] || base_q[t*7 +: 7] >= top_q[t*7 +: 7])) tables = 1'b0;
            if (settled_q[t] && (base_q[t*7 +: 7] == 7'd0 || base_q[t*7 +: 7] > top_q[t*7 +: 7])) tables = 1'b0;
            if (!samples_q[t] && !settled_q[t] && base_q[t*7 +: 7] != 7'd0) tables = 1'b0;
            if (run_q[t*4 +: 4] >= RUN[3:0]) tables = 1'b0;
        end
    end
    wire [6:0] its_base = base_q[which*7 +: 7];
    wire [3:0] its_run  = run_q[which*4 +: 4];
    always @*
        if (started_q) begin
            whole_batch_is_decided: assert (!(phase_q == LATER || decides) || first);
            tables_are_sound: assert (tables);
            sends_what_was_decided: assert (!sends || (order_q == SAMPLE) == samples);
            number_at_hand: assert (!mid || {9'd0, own_q} == number_of({{16-SM_W{1'b0}}, latest_q}));
            number_next: assert (!(mid && collects) || {9'd0, number_q} == stated);
            latest_is_near: assert (!(mid && collects) || own_q == number_q || (|base && number_q == base) ||
                                    own_q + 7'd1 == number_q);
            latest_is_last: assert (!(mid && !collects) || |base || own_q == final_number);
            heard_once: assert (collects ? first || heard_q == (ahead ? 2'd0 : 2'd1) : heard_q == 2'd1 || got_q == 2'd1);
            no_votes_no_best: assert (!mid || |best_sms_q || best_q == 7'd0);
            best_is_a_number: assert (!(mid && |best_sms_q) || (|best_q && best_q <= final_number && best_q >= base));

            any_passed_is_no_better: assert (!(mid && passed && ref_any) || (|best_sms_q && win_side >= ref_side));
            any_equal_came_later: assert (!(mid && passed && ref_any && win_side == ref_side) ||
                                          place(best_q) <= place(any_number));
            any_at_hand: assert (!(mid && at_hand) || (ref_sum_q == own_sum_q && ref_sms_q == own_sms_q));
            any_to_come: assert (!(mid && !passed && !at_hand) || (ref_sum_q == {SUM_W{1'b0}} && !ref_any));
            any_is_best: assert (!(mid && |best_sms_q && any_number == best_q) ||
                                 (passed && ref_sum_q == best_sum_q && ref_sms_q == best_sms_q));
            best_came_first: assert (!(mid && !decides && |best_sms_q) || place(best_q) < place(own_q));

            winner_is_the_maximum: assert (!(votes && ref_any) || (|best_sms_q && win_side >= ref_side));
            of_equals_the_lowest: assert (!(votes && ref_any && win_side == ref_side) || place(best_q) <= place(any_number));
            winner_has_its_votes: assert (!(votes && |best_sms_q && any_number == best_q) ||
                                          (ref_sum_q == best_sum_q && ref_sms_q == best_sms_q));
            number_is_stated_one: assert (!(sends && samples) || {9'd0, number_q} == stated);

            every_sm_is_heard_once: assert (!decides || heard_q == 2'd1);
            one_order_for_every_sm: assert (got_q == (sends && ahead ? 2'd0 : 2'd1));
            the_same_for_all: assert (got_q == 2'd0 || !sends || its_order_q == order_q);
            never_more_than_there_are: assert (!(ord_valid_o && ord_mode_o == SAMPLE) || ord_limit_o <= top);
            settled_is_the_winner: assert (!(ord_valid_o && ord_mode_o == SETTLED) || (settled_q[slot_q] && ord_limit_o == base));
            a_round_begins_above_the_last: assert (!(votes && decision == SAMPLE) || best_q > base);
            sums_are_the_batches: assert (commits_q == all_commits_q && misses_q == all_misses_q);
        end

    // A batch that is neither a vote nor above the threshold ends a run; one above it adds to it.
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            if ($past(decides && slot_q == which && !samples && !settled_q[which] && above && {1'b0, its_run} + 5'd1 < RUN[4:0]))
                watched: assert (its_run == $past(its_run) + 4'd1 && order_q == WATCH);
            if ($past(decides && slot_q == which && !samples && !above))
                run_is_broken: assert (its_run == 4'd0 && order_q == MONITOR);
            if ($past(decides && slot_q == which && !samples && settled_q[which] && above))
                winner_is_used_again: assert (order_q == SETTLED && number_q == its_base);
            if ($past(phase_q == LATER))
                decided_at_once: assert (decides);
            if ($past(decides))
                and_sent: assert (ord_valid_o && turn_o == {SM_W{1'b0}});
            // Nothing moves without a cause: the model may leave such cycles out.
            if ($past(!busy_o && !msg_valid_i)) begin
                quiet: assert ($stable(phase_q) && $stable(sm_q) && $stable(number_q) && $stable(slot_q) &&
                               $stable(most_q) && $stable(order_q));
                quiet_batch: assert ($stable(commits_q) && $stable(misses_q) && $stable(working_q) && $stable(above_q) &&
                                     $stable(own_q) && $stable(own_sum_q) && $stable(own_sms_q) && $stable(best_q) &&
                                     $stable(best_sum_q) && $stable(best_sms_q));
                quiet_kernels: assert ($stable(samples_q) && $stable(settled_q) && $stable(run_q) && $stable(base_q) &&
                                       $stable(top_q));
            end
        end

    // What the above talks about can happen.
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i)) begin
            second_round: cover (votes && decision == SAMPLE && ref_any);
            second_rounds_winner: cover (votes && |base && decision == SETTLED && best_q > base);
            old_winner_stays: cover (votes && |base && decision == SETTLED && best_q == base);
            tie: cover (votes && ref_any && any_number != best_q && win_side == ref_side);
            used_again: cover (decides && !samples && settled_q[slot_q] && above);
            nobody_votes: cover (votes && !(|best_sms_q));
            waits_for_ready: cover (ord_valid_o && !ord_ready_i && order_q == SETTLED);
        end
`endif
endmodule
`default_nettype wire
