// What is claimed of throttle at its ports, beside the properties in it: misses of a message, the warps of its launch,
// and when the L1 is held open.
//
// which is any kernel. Its mode is found here once more by its orders, launches and periods, and so are the misses
// since its last message. The block's registers are seen under their names only to make that inductive: Verilator looks
// them up, Yosys joins the wires below when it flattens (hierconn).
`default_nettype none
module throttle_claims #(
    parameter KERNELS  = 2,
    parameter PERIOD   = 5,
    parameter PERIODS  = 2,
    parameter WATCHDOG = 2,
    parameter COUNT_W  = 5,
    parameter COMMIT_W = 2,
    parameter MISS_W   = 2
) (
    input wire                                           clk_i,
    input wire                                           rst_i,
    input wire [31:0]                                    now_i,
    input wire [COMMIT_W-1:0]                            commits_i,
    input wire [MISS_W-1:0]                              misses_i,
    input wire                                           exit_i,
    input wire                                           beg_valid_i,
    input wire                                           beg_on_i,
    input wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] beg_slot_i,
    input wire [6:0]                                     beg_most_i,
    input wire                                           ord_valid_i,
    input wire [(KERNELS > 2 ? $clog2(KERNELS) : 1)-1:0] ord_slot_i,
    input wire [1:0]                                     ord_mode_i,
    input wire [6:0]                                     ord_limit_i
);
    localparam       SLOT_W = KERNELS > 2 ? $clog2(KERNELS) : 1;
    localparam [8:0] SLOTS = KERNELS, TRIES = PERIODS;
    localparam [1:0] MONITOR = 2'd0, WATCH = 2'd1, SAMPLE = 2'd2, SETTLED = 2'd3;

    wire               msg_valid, limited, open, hold, on, unused_busy;
    wire [SLOT_W-1:0]  msg_slot;
    wire [COUNT_W-1:0] unused_commits, msg_misses;
    wire [6:0]         msg_most, unused_limit;
    wire [31:0]        due;
    throttle #(
        .KERNELS(KERNELS), .PERIOD(PERIOD), .PERIODS(PERIODS), .WATCHDOG(WATCHDOG), .COUNT_W(COUNT_W), .COMMIT_W(COMMIT_W),
        .MISS_W(MISS_W)
    ) dut (
        .clk_i(clk_i), .rst_i(rst_i), .now_i(now_i), .commits_i(commits_i), .misses_i(misses_i), .exit_i(exit_i),
        .beg_valid_i(beg_valid_i), .beg_on_i(beg_on_i), .beg_slot_i(beg_slot_i), .beg_most_i(beg_most_i),
        .ord_valid_i(ord_valid_i), .ord_slot_i(ord_slot_i), .ord_mode_i(ord_mode_i), .ord_limit_i(ord_limit_i),
        .msg_valid_o(msg_valid), .msg_slot_o(msg_slot), .msg_commits_o(unused_commits), .msg_misses_o(msg_misses),
        .msg_most_o(msg_most), .limited_o(limited), .limit_o(unused_limit), .open_o(open), .hold_o(hold), .on_o(on), .due_o(due),
        .busy_o(unused_busy)
    );
`ifdef YOSYS
    (* hierconn *) wire [KERNELS*2-1:0]       \dut.mode_q ;
    (* hierconn *) wire [KERNELS*8-1:0]       \dut.rest_q ;
    (* hierconn *) wire [KERNELS*COUNT_W-1:0] \dut.misses_q ;
`endif
    // verilator lint_off UNDRIVEN
    (* anyconst *) wire [SLOT_W-1:0] which;          // the solver chooses
    // verilator lint_on UNDRIVEN
    wire [1:0]         mode   = dut.mode_q[which*2 +: 2];
    wire [7:0]         rest   = dut.rest_q[which*8 +: 8];
    wire [COUNT_W-1:0] misses = dut.misses_q[which*COUNT_W +: COUNT_W];

    // ---- the kernel, by what goes into the block ----

    wire runs     = on && msg_slot == which;
    wire run_next = beg_valid_i ? beg_on_i && beg_slot_i == which : runs;
    wire ends     = runs && now_i == due && !beg_valid_i;
    wire order    = ord_valid_i && ord_slot_i == which;
    reg  [1:0]         mode_q;
    reg  [8:0]         tried_q;                      // periods of its sampling
    reg  [COUNT_W-1:0] misses_q;                     // since they were reported or dropped
    reg  [6:0]         most_q;                       // of the last launch
    wire relaunch = beg_valid_i && run_next && mode_q == SETTLED;
    wire dropped  = relaunch || (ends && !(mode_q == SAMPLE && tried_q + 9'd1 < TRIES));
    wire [COUNT_W:0] more = {1'b0, dropped ? {COUNT_W{1'b0}} : misses_q} + {{COUNT_W+1-MISS_W{1'b0}}, misses_i};
    always @(posedge clk_i)
        if (rst_i) begin
            mode_q   <= MONITOR;
            tried_q  <= 9'd0;
            misses_q <= {COUNT_W{1'b0}};
            most_q   <= 7'd0;
        end else begin
            if (order) mode_q <= ord_mode_i;
            else if (relaunch || (ends && mode_q == SAMPLE && tried_q == TRIES)) mode_q <= MONITOR;
            if (order) tried_q <= 9'd0;
            else if (ends && mode_q == SAMPLE) tried_q <= tried_q + 9'd1;
            if (run_next) misses_q <= more[COUNT_W] ? {COUNT_W{1'b1}} : more[COUNT_W-1:0];
            if (beg_valid_i) most_q <= beg_most_i;
        end

    // ---- the claims ----

    reg started_q = 1'b0;
    always @(posedge clk_i) started_q <= 1'b1;
    always @* if (!started_q) assume (rst_i);
    always @* assume ({1'b0, which} < SLOTS[SLOT_W:0]);
    always @*
        if (started_q) begin
            message_has_all_misses: assert (!(msg_valid && msg_slot == which) || msg_misses == misses_q);
            message_has_its_launch: assert (!msg_valid || msg_most == most_q);
            message_is_due: assert (!(msg_valid && msg_slot == which) ||
                                    (ends && (mode_q == SAMPLE ? tried_q + 9'd1 == TRIES : mode_q != SETTLED)));
            held_open_until_settled: assert (!runs || hold == (mode_q == WATCH || mode_q == SAMPLE));
            limited_by_order: assert (!runs || limited == ((mode_q == SAMPLE || mode_q == SETTLED) && !open));
            nothing_without_a_kernel: assert (on || (!hold && !limited && !msg_valid));
            // What makes it inductive.
            mode_is_reference: assert (mode == mode_q);
            rest_is_reference: assert (mode_q != SAMPLE || (tried_q <= TRIES && {1'b0, rest} + tried_q == TRIES));
            misses_are_reference: assert (misses == misses_q);
        end
    always @*
        if (started_q) begin
            full_message: cover (msg_valid && msg_slot == which && &misses_q);
            held: cover (runs && hold && mode_q == WATCH);
            other_launch: cover (msg_valid && msg_most != 7'd0 && msg_slot == which);
        end
endmodule
`default_nettype wire
