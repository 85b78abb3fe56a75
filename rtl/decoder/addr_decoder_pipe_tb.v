// Runs cycles of the golden twin through addr_decoder_pipe with two ports. For Icarus (tests/612).
`default_nettype none
module addr_decoder_pipe_tb #(
    parameter ADDR_W   = 48,
    parameter STACKS   = 4,
    parameter CHANNELS = 6
);
    localparam LOCAL_W = ADDR_W - $clog2(STACKS);
    localparam STACK_W = STACKS > 1 ? $clog2(STACKS) : 1;
    localparam CH_W    = CHANNELS > 1 ? $clog2(CHANNELS) : 1;
    localparam CHL_W   = LOCAL_W - $clog2(CHANNELS) + ((1 << $clog2(CHANNELS)) != CHANNELS ? 1 : 0);
    localparam ROW_W   = CHL_W - 16;
    localparam IN_W    = 2 * (1 + ADDR_W + 4 + 1);
    localparam OUT_W   = 2 * (1 + 1 + STACK_W + LOCAL_W + CH_W + CHL_W + 4 + ROW_W + 6) + 1;

`include "clocked_tb.vh"
    wire [1:0]           req_valid, rsp_ready;
    wire [2*ADDR_W-1:0]  req_addr;
    wire [7:0]           req_mode;
    wire [1:0]           req_ready, rsp_valid;
    wire [2*STACK_W-1:0] stack;
    wire [2*LOCAL_W-1:0] stack_local;
    wire [2*CH_W-1:0]    channel;
    wire [2*CHL_W-1:0]   channel_local;
    wire [7:0]           bank;
    wire [2*ROW_W-1:0]   row;
    wire [11:0]          column;
    wire                 busy;
    assign {rsp_ready, req_mode, req_addr, req_valid} = in;
    assign out = {busy, column, row, bank, channel_local, channel, stack_local, stack, rsp_valid, req_ready};
    addr_decoder_pipe #(.ADDR_W(ADDR_W), .PORTS(2), .STACKS(STACKS), .CHANNELS(CHANNELS)) dut (
        .clk_i(clk), .rst_i(rst), .req_valid_i(req_valid), .req_ready_o(req_ready), .req_addr_i(req_addr), .req_mode_i(req_mode),
        .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_stack_o(stack), .rsp_stack_local_o(stack_local),
        .rsp_channel_o(channel), .rsp_channel_local_o(channel_local), .rsp_bank_o(bank), .rsp_row_o(row), .rsp_column_o(column),
        .busy_o(busy)
    );
endmodule
`default_nettype wire
