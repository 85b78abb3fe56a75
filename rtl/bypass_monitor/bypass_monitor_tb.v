// Runs cycles of the golden twin through bypass_monitor. For Icarus (tests/666).
`default_nettype none
module bypass_monitor_tb #(
    parameter RATE   = 90,
    parameter PERIOD = 10000
);
    localparam NOW_W = $clog2(PERIOD);
    localparam IN_W  = NOW_W + 1 + 1 + 1;
    localparam OUT_W = 1 + 1 + 1;

`include "clocked_tb.vh"
    wire [NOW_W-1:0] now;
    wire             acc_valid, acc_miss, hold;
    wire             bypass, open, busy;
    assign {hold, acc_miss, acc_valid, now} = in;
    assign out = {busy, open, bypass};
    bypass_monitor #(.RATE(RATE), .PERIOD(PERIOD)) dut (
        .clk_i(clk), .rst_i(rst), .now_i(now), .acc_valid_i(acc_valid), .acc_miss_i(acc_miss), .hold_i(hold),
        .bypass_o(bypass), .open_o(open), .busy_o(busy)
    );
endmodule
`default_nettype wire
