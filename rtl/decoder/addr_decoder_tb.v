// Runs vectors of the golden twin through addr_decoder: +vectors=FILE, a line "addr mode stack stack_local channel channel_local bank row
// column" in hex each, for one port. For Icarus (tests/612).
`default_nettype none
module addr_decoder_tb #(
    parameter ADDR_W       = 64,
    parameter STACKS       = 4,
    parameter PAGE_BITS    = 12,
    parameter FGP_LSB      = 10,
    parameter CHANNELS     = 8,
    parameter INTERLEAVE   = 256,
    parameter BANKS        = 16,
    parameter BURST_W      = 6,
    parameter MAP_W        = 16,
    parameter BANK_MASK    = 'he100,
    parameter HASH_CHANNEL = 0,
    parameter HASH_BANK    = 0
);
    localparam STACK_W = STACKS > 1 ? $clog2(STACKS) : 1;
    localparam LOCAL_W = ADDR_W - $clog2(STACKS);
    localparam CH_W    = CHANNELS > 1 ? $clog2(CHANNELS) : 1;
    localparam CHL_W   = LOCAL_W - $clog2(CHANNELS) + (CHANNELS % 3 == 0 ? 1 : 0);
    localparam BANK_W  = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam ROW_W   = CHL_W - MAP_W;
    localparam COL_W   = MAP_W - BURST_W > $clog2(BANKS) ? MAP_W - BURST_W - $clog2(BANKS) : 1;

    reg  [ADDR_W-1:0]  addr;
    reg  [3:0]         mode;
    wire [STACK_W-1:0] stack;
    wire [LOCAL_W-1:0] stack_local;
    wire [CH_W-1:0]    channel;
    wire [CHL_W-1:0]   channel_local;
    wire [BANK_W-1:0]  bank;
    wire [ROW_W-1:0]   row;
    wire [COL_W-1:0]   column;
    addr_decoder #(
        .ADDR_W(ADDR_W), .PORTS(1), .STACKS(STACKS), .PAGE_BITS(PAGE_BITS), .FGP_LSB(FGP_LSB), .CHANNELS(CHANNELS),
        .INTERLEAVE(INTERLEAVE), .BANKS(BANKS), .BURST_W(BURST_W), .MAP_W(MAP_W), .BANK_MASK(BANK_MASK),
        .HASH_CHANNEL(HASH_CHANNEL), .HASH_BANK(HASH_BANK)
    ) dut (
        .addr_i(addr), .mode_i(mode), .stack_o(stack), .stack_local_o(stack_local), .channel_o(channel),
        .channel_local_o(channel_local), .bank_o(bank), .row_o(row), .column_o(column)
    );

    reg [8*256-1:0] path;
    reg [63:0]      v_addr, v_mode, v_stack, v_stack_local, v_channel, v_channel_local, v_bank, v_row, v_column;
    integer         file, got, vectors, mismatches;
    initial begin
        vectors    = 0;
        mismatches = 0;
        if ($value$plusargs("vectors=%s", path) == 0) $finish;
        file = $fopen(path, "r");
        got  = 9;
        while (got == 9) begin
            got = $fscanf(file, "%h %h %h %h %h %h %h %h %h\n", v_addr, v_mode, v_stack, v_stack_local, v_channel,
                          v_channel_local, v_bank, v_row, v_column);
            if (got == 9) begin
                addr = v_addr[ADDR_W-1:0];
                mode = v_mode[3:0];
                #1;
                if (stack !== v_stack[STACK_W-1:0] || stack_local !== v_stack_local[LOCAL_W-1:0] ||
                    channel !== v_channel[CH_W-1:0] || channel_local !== v_channel_local[CHL_W-1:0] ||
                    bank !== v_bank[BANK_W-1:0] || row !== v_row[ROW_W-1:0] || column !== v_column[COL_W-1:0])
                    mismatches = mismatches + 1;
                vectors = vectors + 1;
            end
        end
        $display("%0d vectors, %0d mismatches", vectors, mismatches);
        $finish;
    end
endmodule
`default_nettype wire
