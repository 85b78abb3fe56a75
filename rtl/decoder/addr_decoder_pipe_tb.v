// Runs cycles of the golden twin through addr_decoder_pipe with two ports: +vectors=FILE, a line a cycle in hex, inputs
// and then the outputs before the edge; addresses and places of port 0 and port 1 one after the other:
// req_valid addr0 addr1 mode0 mode1 rsp_ready  req_ready rsp_valid busy, then for each port stack stack_local channel
// channel_local bank row column. For Icarus (tests/612).
`default_nettype none
module addr_decoder_pipe_tb #(
    parameter ADDR_W   = 48,
    parameter STACKS   = 4,
    parameter CHANNELS = 6
);
    localparam LOCAL_W = ADDR_W - $clog2(STACKS);
    localparam STACK_W = STACKS > 1 ? $clog2(STACKS) : 1;
    localparam CH_W    = CHANNELS > 1 ? $clog2(CHANNELS) : 1;
    localparam CHL_W   = LOCAL_W - $clog2(CHANNELS) + (CHANNELS % 3 == 0 ? 1 : 0);
    localparam ROW_W   = CHL_W - 16;

    reg                  clk, rst;
    reg  [1:0]           req_valid, rsp_ready;
    reg  [2*ADDR_W-1:0]  req_addr;
    reg  [7:0]           req_mode;
    wire [1:0]           req_ready, rsp_valid;
    wire [2*STACK_W-1:0] stack;
    wire [2*LOCAL_W-1:0] stack_local;
    wire [2*CH_W-1:0]    channel;
    wire [2*CHL_W-1:0]   channel_local;
    wire [7:0]           bank;
    wire [2*ROW_W-1:0]   row;
    wire [11:0]          column;
    wire                 busy;
    addr_decoder_pipe #(.ADDR_W(ADDR_W), .PORTS(2), .STACKS(STACKS), .CHANNELS(CHANNELS)) dut (
        .clk_i(clk), .rst_i(rst), .req_valid_i(req_valid), .req_ready_o(req_ready), .req_addr_i(req_addr), .req_mode_i(req_mode),
        .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_stack_o(stack), .rsp_stack_local_o(stack_local),
        .rsp_channel_o(channel), .rsp_channel_local_o(channel_local), .rsp_bank_o(bank), .rsp_row_o(row), .rsp_column_o(column),
        .busy_o(busy)
    );

    reg [8*256-1:0] path;
    reg [63:0]      v [0:22];
    integer         file, got, i, p, cycles, mismatches, wrong;
    initial begin
        cycles = 0; mismatches = 0;
        clk = 0; rst = 1; req_valid = 0; rsp_ready = 0; req_addr = 0; req_mode = 0;
        #1 clk = 1; #1 clk = 0; rst = 0;
        if ($value$plusargs("vectors=%s", path) == 0) $finish;
        file = $fopen(path, "r");
        got  = 1;
        while (got == 1) begin
            for (i = 0; i < 23 && got == 1; i = i + 1)
                got = $fscanf(file, "%h", v[i]);
            if (got == 1) begin
                req_valid = v[0][1:0];
                req_addr  = {v[2][ADDR_W-1:0], v[1][ADDR_W-1:0]};
                req_mode  = {v[4][3:0], v[3][3:0]};
                rsp_ready = v[5][1:0];
                #1;
                wrong = {31'd0, req_ready !== v[6][1:0] || rsp_valid !== v[7][1:0] || busy !== v[8][0]};
                for (p = 0; p < 2; p = p + 1)
                    if (stack[p*STACK_W +: STACK_W] !== v[9+7*p][STACK_W-1:0] ||
                        stack_local[p*LOCAL_W +: LOCAL_W] !== v[10+7*p][LOCAL_W-1:0] ||
                        channel[p*CH_W +: CH_W] !== v[11+7*p][CH_W-1:0] ||
                        channel_local[p*CHL_W +: CHL_W] !== v[12+7*p][CHL_W-1:0] || bank[p*4 +: 4] !== v[13+7*p][3:0] ||
                        row[p*ROW_W +: ROW_W] !== v[14+7*p][ROW_W-1:0] || column[p*6 +: 6] !== v[15+7*p][5:0])
                        wrong = 1;
                mismatches = mismatches + wrong;
                cycles = cycles + 1;
                #1 clk = 1; #1 clk = 0;
            end
        end
        $display("%0d cycles, %0d mismatches", cycles, mismatches);
        $finish;
    end
endmodule
`default_nettype wire
