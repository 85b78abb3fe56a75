// paver_steal: when no group is left, an SM without CTAs gets part of another one's.
//
// The recipient is ready, empty and waits for nothing. All SMs are looked at: the donor is the one of which most can be
// stolen, the lowest of equals; what waits at all of them is added up and divided by their number. Then count = max -
// average, at least 1, at most what can be stolen of the donor now. An entry that is pinned waits, but cannot be
// stolen.
//
// Latency     a recipient is chosen in one cycle; then SMS cycles of looking, PTR_W of division, one to subtract, one
//             to apply.
// Throughput  a steal in SMS + PTR_W + 3 cycles.
// Handshake   steal_o and its companions are valid for one cycle, in which hold_o is high and no request of the donor
//             may begin.
// Source      paver, section 5.2 (Algorithm 2): one comparator, three adders, a divider
`default_nettype none
module paver_steal #(
    parameter SMS   = 15,                     // all as in paver_top
    parameter PTR_W = 16,
    parameter SM_W  = SMS > 2 ? $clog2(SMS) : 1
) (
    input  wire                 clk_i,
    input  wire                 rst_i,        // synchronous, active high
    input  wire                 cfg_i,        // a launch; idle then
    input  wire                 cfg_steal_i,
    input  wire                 groups_left_i,
    input  wire [SMS*PTR_W-1:0] next_i,
    input  wire [SMS*PTR_W-1:0] tail_i,
    input  wire [SMS-1:0]       empty_i,
    input  wire [SMS-1:0]       pinned_i,
    input  wire [SMS-1:0]       spare_i,
    input  wire [SMS-1:0]       ready_i,
    output wire                 hold_o,
    output wire                 steal_o,
    output wire [SM_W-1:0]      donor_o,
    output wire [SM_W-1:0]      recipient_o,
    output wire [PTR_W-1:0]     count_o,
    output wire [PTR_W-1:0]     from_o,       // the donor's new tail
    output wire [PTR_W-1:0]     to_o,         // and its old one
    output wire                 idle_o,
    output wire                 busy_o        // not idle, or could begin if an SM were ready
);
    localparam STEP_W = SM_W > 5 ? SM_W : 5;
    localparam LAST_SM  = SMS - 1;
    localparam LAST_BIT = PTR_W - 1;
    localparam DIVISOR  = SMS;
    localparam [2:0] IDLE = 3'd0, SCAN = 3'd1, DIVIDE = 3'd2, COUNT = 3'd3, APPLY = 3'd4;

    reg              on_q;
    reg [2:0]        state_q;
    reg [SM_W-1:0]   turn_q;
    reg [SM_W-1:0]   recipient_q;
    reg [SM_W-1:0]   donor_q;
    reg [STEP_W-1:0] step_q;
    reg [PTR_W-1:0]  max_q;
    reg [PTR_W-1:0]  sum_q;
    reg [SM_W-1:0]   rest_q;

    // ---- the SM that is looked at, in the end the donor ----

    wire [SM_W-1:0]  at        = state_q == APPLY ? donor_q : step_q[SM_W-1:0];
    wire [PTR_W-1:0] next      = next_i[at*PTR_W +: PTR_W];
    wire [PTR_W-1:0] tail      = tail_i[at*PTR_W +: PTR_W];
    wire [PTR_W-1:0] waiting   = tail - next;
    wire [PTR_W-1:0] stealable = empty_i[at] ? {PTR_W{1'b0}} : waiting - {{PTR_W-1{1'b0}}, pinned_i[at]};
    wire [PTR_W-1:0] count     = max_q < stealable ? max_q : stealable;
    wire [PTR_W-1:0] surplus   = max_q - sum_q;

    // ---- a bit of the quotient ----

    wire [SM_W:0] part = {rest_q, sum_q[PTR_W-1]};
    wire          fits = part >= DIVISOR[SM_W:0];
    wire [SM_W:0] left = part - (fits ? DIVISOR[SM_W:0] : {SM_W+1{1'b0}});

    // ---- the recipient ----

    wire [SMS-1:0]  hungry = empty_i & ~pinned_i;
    wire            may    = on_q && !groups_left_i && |spare_i;
    wire [SMS-1:0]  pick;
    wire            any;
    wire [SM_W-1:0] index;
    wire [SM_W-1:0] after;
    wire            start  = state_q == IDLE && may && any;

    paver_pick #(.N(SMS)) round (
        .want_i(hungry & ready_i), .turn_i(turn_q), .any_o(any), .pick_o(pick), .index_o(index), .after_o(after)
    );

    assign hold_o      = state_q == APPLY;
    assign steal_o     = hold_o && |count;
    assign donor_o     = donor_q;
    assign recipient_o = recipient_q;
    assign count_o     = hold_o ? count : {PTR_W{1'b0}};
    assign from_o      = tail - count;
    assign to_o        = tail;
    assign idle_o      = state_q == IDLE;
    assign busy_o      = !idle_o || (may && |hungry);
    wire unused = &{1'b0, pick, left[SM_W]};

    always @(posedge clk_i)
        if (rst_i) begin
            on_q        <= 1'b0;
            state_q     <= IDLE;
            turn_q      <= {SM_W{1'b0}};
            recipient_q <= {SM_W{1'b0}};
            donor_q     <= {SM_W{1'b0}};
            step_q      <= {STEP_W{1'b0}};
            max_q       <= {PTR_W{1'b0}};
            sum_q       <= {PTR_W{1'b0}};
            rest_q      <= {SM_W{1'b0}};
        end else begin
            case (state_q)
            SCAN: begin
                if (stealable > max_q) begin
                    max_q   <= stealable;
                    donor_q <= at;
                end
                sum_q  <= sum_q + waiting;
                step_q <= step_q == LAST_SM[STEP_W-1:0] ? {STEP_W{1'b0}} : step_q + {{STEP_W-1{1'b0}}, 1'b1};
                if (step_q == LAST_SM[STEP_W-1:0])
                    state_q <= DIVIDE;
            end
            DIVIDE: begin
                rest_q <= left[SM_W-1:0];
                sum_q  <= {sum_q[PTR_W-2:0], fits};
                step_q <= step_q + {{STEP_W-1{1'b0}}, 1'b1};
                if (step_q == LAST_BIT[STEP_W-1:0])
                    state_q <= COUNT;
            end
            COUNT: begin
                if (|max_q)
                    max_q <= |surplus ? surplus : {{PTR_W-1{1'b0}}, 1'b1};
                state_q <= APPLY;
            end
            APPLY: state_q <= IDLE;
            default:
                if (start) begin
                    state_q     <= SCAN;
                    turn_q      <= after;
                    recipient_q <= index;
                    step_q      <= {STEP_W{1'b0}};
                    max_q       <= {PTR_W{1'b0}};
                    sum_q       <= {PTR_W{1'b0}};
                    rest_q      <= {SM_W{1'b0}};
                end
            endcase
            if (cfg_i) begin
                on_q   <= cfg_steal_i;
                turn_q <= {SM_W{1'b0}};
            end
        end

`ifdef FORMAL
`ifndef PAVER_ARBITERS_ALONE // where the arbiters are proved alone, the rest of the block does as it likes
    // Proved as part of paver_top: what an SM that is a recipient may do in the meantime is nothing.
    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;

    // Algorithm 2 beside it: the sum that is divided, the largest that was seen, whose it was.
    reg [PTR_W-1:0] ref_sum_q, ref_max_q;
    reg [SM_W-1:0]  ref_donor_q;
    reg [SMS-1:0]   ref_seen_q;
    always @(posedge clk_i)
        if (state_q == IDLE) begin
            ref_seen_q <= 0;
            ref_sum_q <= 0;
            ref_max_q <= 0;
        end else if (state_q == SCAN) begin
            ref_sum_q          <= ref_sum_q + waiting;
            ref_seen_q[step_q[SM_W-1:0]] <= 1'b1;
            if (stealable > ref_max_q) begin
                ref_max_q   <= stealable;
                ref_donor_q <= step_q[SM_W-1:0];
            end
        end
    wire [15:0]      step    = {{16-STEP_W{1'b0}}, step_q};
    wire [PTR_W-1:0] average = ref_sum_q / SMS;
    wire [15:0]      so_far  = step - ({{16-SM_W{1'b0}}, recipient_q} < step ? 16'd1 : 16'd0); // SMs looked at without
                                                                                               // the recipient
    wire [15:0]      at_most = ({{16-PTR_W{1'b0}}, ref_max_q} + 16'd1) * (state_q == SCAN ? so_far : SMS - 1);
    // After step bits the sum's upper bits are quotient * SMS + rest, and the lower ones still are there.
    wire [PTR_W-1:0] mask    = ({{PTR_W-1{1'b0}}, 1'b1} << step_q) - 1;
    wire [15:0]      ref_sum = {{16-PTR_W{1'b0}}, ref_sum_q};
    wire [15:0]      above   = {{16-PTR_W{1'b0}}, sum_q & mask} * SMS + {{16-SM_W{1'b0}}, rest_q};
    always @*
        if (started_q && !rst_i) begin
            if (state_q == APPLY && ref_max_q != 0)
                count_is_algorithm_2: assert (donor_q == ref_donor_q && max_q != 0 &&
                                              (average >= ref_max_q ? max_q == 1 : max_q == ref_max_q - average));
            if (state_q == APPLY && ref_max_q == 0) nothing_to_steal: assert (!steal_o);
            if (steal_o) not_more_than_there_is: assert (count_o <= stealable && count_o <= ref_max_q);
            // What makes it inductive.
            legal: assert (state_q <= APPLY && turn_q < SMS && (state_q != SCAN || step_q < SMS) &&
                           (state_q != DIVIDE || step_q < PTR_W));
            if (state_q != IDLE) begin
                recipient_stays: assert (recipient_q < SMS && hungry[recipient_q] && on_q && !groups_left_i);
                donor_is_reference: assert (ref_max_q == 0 || (donor_q == ref_donor_q && donor_q < SMS));
                bounded_sum: assert (ref_sum <= at_most);
            end
            if (state_q == SCAN) seen_in_order: assert (ref_seen_q == ((1 << step_q) - 1));
            if (state_q > SCAN) all_are_seen: assert (&ref_seen_q);
            if (state_q == SCAN) scanned: assert (sum_q == ref_sum_q && rest_q == 0);
            if (state_q != IDLE && state_q != APPLY) max_is_reference: assert (max_q == ref_max_q);
            if (state_q == DIVIDE)
                divided: assert (rest_q < SMS && above == (ref_sum >> (PTR_W - step_q)) &&
                                 (sum_q >> step_q) == (ref_sum_q & ((1 << (PTR_W - step_q)) - 1)));
            if (state_q == COUNT) quotient: assert (sum_q == average && average <= max_q);
        end
    always @(posedge clk_i)
        if (started_q && !rst_i && !$past(rst_i) && $past(!busy_o && !cfg_i))
            quiet: assert ($stable(on_q) && $stable(state_q) && $stable(turn_q) && $stable(recipient_q) && $stable(donor_q) &&
                           $stable(step_q) && $stable(max_q) && $stable(sum_q) && $stable(rest_q));
`endif
`endif
endmodule
`default_nettype wire
