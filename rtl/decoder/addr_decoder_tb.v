// Runs vectors of the golden twin through addr_decoder: +vectors=FILE, a line "addr mode stack stack_local channel
// channel_local bank row column" in hex each, for one port. For Icarus (tests/612). The block has no clock, so a
// line is no cycle and the bench not one of clocked_tb.vh.
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
    localparam CHL_W   = LOCAL_W - $clog2(CHANNELS) + ((1 << $clog2(CHANNELS)) != CHANNELS ? 1 : 0);
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

    reg [8*256-1:0]   path;
    reg [ADDR_W-1:0]  given_addr;
    reg [3:0]         given_mode;
    reg [STACK_W-1:0] want_stack;
    reg [LOCAL_W-1:0] want_stack_local;
    reg [CH_W-1:0]    want_channel;
    reg [CHL_W-1:0]   want_channel_local;
    reg [BANK_W-1:0]  want_bank;
    reg [ROW_W-1:0]   want_row;
    reg [COL_W-1:0]   want_column;
    integer           file, vectors, mismatches;
    initial begin
        vectors    = 0;
        mismatches = 0;
        if ($value$plusargs("vectors=%s", path) == 0) $finish;
        file = $fopen(path, "r");
        while ($fscanf(file, "%h %h %h %h %h %h %h %h %h", given_addr, given_mode, want_stack, want_stack_local, want_channel,
                       want_channel_local, want_bank, want_row, want_column) == 9) begin
            addr = given_addr;           // by assignment: of $fscanf, Verilator 5.006 wakes nothing
            mode = given_mode;
            #1;
            if (stack !== want_stack || stack_local !== want_stack_local || channel !== want_channel ||
                channel_local !== want_channel_local || bank !== want_bank || row !== want_row || column !== want_column)
                mismatches = mismatches + 1;
            vectors = vectors + 1;
        end
        $display("%0d vectors, %0d mismatches", vectors, mismatches);
        $finish;
    end
endmodule
`default_nettype wire
