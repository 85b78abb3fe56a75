// Runs cycles of the golden twin through throttle. For Icarus (tests/668).
`default_nettype none
module throttle_tb #(
    parameter KERNELS = 8,
    parameter PERIOD = 10000,
    parameter PERIODS = 4,
    parameter WATCHDOG = 256,
    parameter COUNT_W = 32,
    parameter COMMIT_W = 9,
    parameter MISS_W = 2
);
    localparam SLOT_W = KERNELS > 2 ? $clog2(KERNELS) : 1;
    localparam IN_W  = 32 + COMMIT_W + MISS_W + 1 + 1 + 1 + SLOT_W + 7 + 1 + SLOT_W + 2 + 7;
    localparam OUT_W = 1 + SLOT_W + COUNT_W + COUNT_W + 7 + 1 + 7 + 1 + 1 + 1 + 32 + 1;

`include "clocked_tb.vh"
    wire [32-1:0] now;
    wire [COMMIT_W-1:0] commits;
    wire [MISS_W-1:0] misses;
    wire exit;
    wire beg_valid;
    wire beg_on;
    wire [SLOT_W-1:0] beg_slot;
    wire [7-1:0] beg_most;
    wire ord_valid;
    wire [SLOT_W-1:0] ord_slot;
    wire [2-1:0] ord_mode;
    wire [7-1:0] ord_limit;
    wire msg_valid;
    wire [SLOT_W-1:0] msg_slot;
    wire [COUNT_W-1:0] msg_commits;
    wire [COUNT_W-1:0] msg_misses;
    wire [7-1:0] msg_most;
    wire limited;
    wire [7-1:0] limit;
    wire open;
    wire hold;
    wire on;
    wire [32-1:0] due;
    wire busy;
    assign {
        ord_limit, ord_mode, ord_slot, ord_valid, beg_most, beg_slot, beg_on, beg_valid, exit, misses,
        commits, now
    } = in;
    assign out = {
        busy, due, on, hold, open, limit, limited, msg_most, msg_misses, msg_commits, msg_slot, msg_valid
    };
    throttle #(
        .KERNELS(KERNELS), .PERIOD(PERIOD), .PERIODS(PERIODS), .WATCHDOG(WATCHDOG), .COUNT_W(COUNT_W),
        .COMMIT_W(COMMIT_W), .MISS_W(MISS_W)
    ) dut (
        .clk_i(clk), .rst_i(rst),
        .now_i(now), .commits_i(commits), .misses_i(misses), .exit_i(exit), .beg_valid_i(beg_valid),
        .beg_on_i(beg_on), .beg_slot_i(beg_slot), .beg_most_i(beg_most), .ord_valid_i(ord_valid),
        .ord_slot_i(ord_slot), .ord_mode_i(ord_mode), .ord_limit_i(ord_limit), .msg_valid_o(msg_valid),
        .msg_slot_o(msg_slot), .msg_commits_o(msg_commits), .msg_misses_o(msg_misses), .msg_most_o(msg_most),
        .limited_o(limited), .limit_o(limit), .open_o(open), .hold_o(hold), .on_o(on), .due_o(due),
        .busy_o(busy)
    );
endmodule
`default_nettype wire
