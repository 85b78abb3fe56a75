// Runs cycles of the golden twin through set_monitor. For Icarus (tests/605).
`default_nettype none
module set_monitor_tb #(
    parameter SETS    = 32,
    parameter TAG_W   = 20,
    parameter COUNT_W = 16
);
    localparam SET_W = $clog2(SETS);
    localparam IN_W  = 1 + SET_W + TAG_W + 1 + SET_W + 1;
    localparam OUT_W = 1 + 1 + 1 + COUNT_W + 1;

`include "clocked_tb.vh"
    wire               acc_valid, req_valid, rsp_ready;
    wire [SET_W-1:0]   acc_set, req_set;
    wire [TAG_W-1:0]   acc_tag;
    wire               acc_ready, req_ready, rsp_valid, busy;
    wire [COUNT_W-1:0] rsp_count;
    assign {rsp_ready, req_set, req_valid, acc_tag, acc_set, acc_valid} = in;
    assign out = {busy, rsp_count, rsp_valid, req_ready, acc_ready};
    set_monitor #(SETS, TAG_W, COUNT_W) dut (
        .clk_i(clk), .rst_i(rst),
        .acc_valid_i(acc_valid), .acc_ready_o(acc_ready), .acc_set_i(acc_set), .acc_tag_i(acc_tag),
        .req_valid_i(req_valid), .req_ready_o(req_ready), .req_set_i(req_set),
        .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_count_o(rsp_count), .busy_o(busy)
    );
endmodule
`default_nettype wire
