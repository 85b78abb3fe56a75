// Runs cycles of the golden twin through pin_replacement: +vectors=FILE, a line a cycle: all inputs and then all
// outputs before the edge, each a number in hex in which the ports are in the order of csim/hw/twins/pin_replacement.h,
// the first one lowest. For Icarus (tests/662).
`default_nettype none
module pin_replacement_tb #(
    parameter SETS  = 32,
    parameter WAYS  = 4,
    parameter TIMER = 100000
);
    localparam SET_W = SETS > 2 ? $clog2(SETS) : 1;
    localparam WAY_W = WAYS > 2 ? $clog2(WAYS) : 1;
    localparam IN_W  = 32 + 1 + SET_W + 1 + 1 + 1 + 2 + SET_W + WAY_W + 1 + 2 + 1 + SET_W + WAY_W + 1;
    localparam OUT_W = 1 + 1 + 1 + WAY_W + 2 + 1 + 1;

`include "clocked_tb.vh"
    wire [31:0]      now;
    wire             req_valid, req_bypass, rsp_ready, op_valid, op_reserve, fill_valid, fill_drop;
    wire [SET_W-1:0] req_set, op_set, fill_set;
    wire [WAY_W-1:0] op_way, fill_way, rsp_way;
    wire [1:0]       op_kind, op_pin, rsp_pin;
    wire             req_ready, rsp_valid, rsp_found, unpin, busy;
    assign {fill_drop, fill_way, fill_set, fill_valid, op_pin, op_reserve, op_way, op_set, op_kind, op_valid, rsp_ready,
            req_bypass, req_set, req_valid, now} = in;
    assign out = {busy, unpin, rsp_pin, rsp_way, rsp_found, rsp_valid, req_ready};
    pin_replacement #(.SETS(SETS), .WAYS(WAYS), .TIMER(TIMER)) dut (
        .clk_i(clk), .rst_i(rst), .now_i(now), .req_valid_i(req_valid), .req_ready_o(req_ready), .req_set_i(req_set),
        .req_bypass_i(req_bypass), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_found_o(rsp_found), .rsp_way_o(rsp_way), .rsp_pin_o(rsp_pin),
        .op_valid_i(op_valid), .op_kind_i(op_kind), .op_set_i(op_set), .op_way_i(op_way), .op_reserve_i(op_reserve),
        .op_pin_i(op_pin), .fill_valid_i(fill_valid), .fill_set_i(fill_set), .fill_way_i(fill_way), .fill_drop_i(fill_drop),
        .unpin_o(unpin), .busy_o(busy)
    );
endmodule
`default_nettype wire
