// What is claimed of throttle_coordinator at its ports, beside the properties in it: when misses are above the
// threshold, by the messages of a batch, in each unit and for any SM.
//
// SM 0's message is the first of a batch. The block's registers are seen under their names only to make the claim
// inductive: Verilator looks them up, Yosys joins the wires below when it flattens (hierconn).
`default_nettype none
module throttle_coordinator_claims #(
    parameter SMS        = 3,
    parameter KERNELS    = 3,
    parameter N          = 1,
    parameter THRESHOLD  = 10,
    parameter PER_CYCLES = 0,
    parameter ANY        = 0,
    parameter COUNT_W    = 4
) (
    input wire                                           clk_i,
    input wire                                           rst_i,
    input wire                                           msg_valid_i,
    input wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] msg_slot_i,
    input wire [COUNT_W-1:0]                             msg_commits_i,
    input wire [COUNT_W-1:0]                             msg_misses_i,
    input wire [6:0]                                     msg_most_i,
    input wire                                           ord_ready_i
);
    localparam        SM_W   = SMS > 2 ? $clog2(SMS) : 1;
    localparam        SMS_W  = $clog2(SMS + 1);
    localparam        SUM_W  = COUNT_W + SM_W;
    localparam        SLOT_W = KERNELS > 2 ? $clog2(KERNELS) : 1;
    localparam [63:0] RATE = THRESHOLD, CYCLES = PER_CYCLES;

    wire              msg_ready, unused_ord, unused_voted, dec_valid, dec_above, unused_busy;
    wire [SM_W-1:0]   turn;
    wire [SLOT_W-1:0] unused_slot;
    wire [1:0]        unused_ord_mode, unused_mode;
    wire [6:0]        unused_limit, unused_winner;
    throttle_coordinator #(
        .SMS(SMS), .KERNELS(KERNELS), .N(N), .THRESHOLD(THRESHOLD), .PER_CYCLES(PER_CYCLES), .ANY(ANY), .COUNT_W(COUNT_W)
    ) dut (
        .clk_i(clk_i), .rst_i(rst_i), .msg_valid_i(msg_valid_i), .msg_slot_i(msg_slot_i), .msg_commits_i(msg_commits_i),
        .msg_misses_i(msg_misses_i), .msg_most_i(msg_most_i), .ord_ready_i(ord_ready_i), .msg_ready_o(msg_ready), .turn_o(turn),
        .ord_valid_o(unused_ord), .ord_slot_o(unused_slot), .ord_mode_o(unused_ord_mode), .ord_limit_o(unused_limit),
        .dec_valid_o(dec_valid), .dec_mode_o(unused_mode), .dec_above_o(dec_above), .dec_voted_o(unused_voted),
        .dec_winner_o(unused_winner), .busy_o(unused_busy)
    );
`ifdef YOSYS
    (* hierconn *) wire [SUM_W-1:0] \dut.commits_q , \dut.misses_q ;
    (* hierconn *) wire [SMS_W-1:0] \dut.working_q ;
    (* hierconn *) wire             \dut.above_q ;
`endif
    wire [SUM_W-1:0] commits = dut.commits_q, misses = dut.misses_q;
    wire [SMS_W-1:0] working = dut.working_q;
    wire             above   = dut.above_q;

    // ---- the messages of a batch: sums, SMs with commits, whether one of these is above the threshold ----

    wire             take  = msg_valid_i && msg_ready;
    wire             first = turn == {SM_W{1'b0}};
    wire             works = |msg_commits_i;
    wire [63:0]      own_base = PER_CYCLES != 0 ? CYCLES : {{64-COUNT_W{1'b0}}, msg_commits_i};
    wire             own_above = works && {{64-COUNT_W{1'b0}}, msg_misses_i} * 64'd1000 > own_base * RATE;
    reg  [SUM_W-1:0] commits_q, misses_q;
    reg  [SMS_W-1:0] working_q;
    reg              any_q;
    always @(posedge clk_i)
        if (rst_i) begin
            commits_q <= {SUM_W{1'b0}};
            misses_q  <= {SUM_W{1'b0}};
            working_q <= {SMS_W{1'b0}};
            any_q     <= 1'b0;
        end else if (take) begin
            commits_q <= (first ? {SUM_W{1'b0}} : commits_q) + {{SM_W{1'b0}}, msg_commits_i};
            misses_q  <= (first ? {SUM_W{1'b0}} : misses_q) + {{SM_W{1'b0}}, msg_misses_i};
            working_q <= (first ? {SMS_W{1'b0}} : working_q) + {{SMS_W-1{1'b0}}, works};
            any_q     <= first ? own_above : any_q || own_above;
        end
    wire [63:0] base = PER_CYCLES != 0 ? {{64-SMS_W{1'b0}}, working_q} * CYCLES : {{64-SUM_W{1'b0}}, commits_q};
    wire        want = ANY != 0 ? any_q : {{64-SUM_W{1'b0}}, misses_q} * 64'd1000 > base * RATE;

    // ---- the claims ----

    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);
    always @*
        if (started_q) begin
            above_by_the_messages: assert (!dec_valid || dec_above == want);
            // What makes it inductive.
            sums_are_reference: assert (commits == commits_q && misses == misses_q && working == working_q && above == any_q);
        end
    always @*
        if (started_q) begin
            above_with_an_idle_sm: cover (dec_valid && dec_above && {{32-SMS_W{1'b0}}, working_q} < SMS && |working_q);
            not_above_with_misses: cover (dec_valid && !dec_above && |misses_q);
        end
endmodule
`default_nettype wire
