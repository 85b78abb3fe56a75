// addr_decoder: where a physical address is: stack, channel, bank, row and column, and its address inside the stack and
// inside the channel.
//
// The mode, which comes from the page table with the address, says which k = log2(STACKS) bits of it choose the stack:
//
//     0       FGP: bits from FGP_LSB on (the page goes round the stacks)
//     1       CGP: bits from PAGE_BITS on (the page is in one stack)
//     2       bits from 16 on
//     3       bits from 8 on, XOR all k-bit pieces of the address above them
//     7..15   bits from mode_i on
//     4..6    reserved: as 0
//
// These bits are taken out; what is left, closed up, is the address inside the stack. It goes round the channels in
// blocks of INTERLEAVE bytes; the block's number divided by CHANNELS, with the offset in the block, is the address
// inside the channel. Of that, BANK_MASK names the bank's bits; the column (in bursts) has the other bits below MAP_W
// and above the burst's; the row is above. HASH_CHANNEL XORs the channel's c lowest bits, of odd * 2^c channels, with
// all bits of the quotient, folded; HASH_BANK the bank's with the lowest of the row. Both keep the map one-to-one, as
// quotient and row stay.
//
// Latency     none: combinational from addr_i and mode_i.
// Throughput  PORTS addresses a cycle.
// Handshake   none; addr_decoder_pipe has one.
// Source      coda, section 4.2 and Figure 5 (FGP, CGP); ldesc, sections 4.6 (base bits), 6.2 (XOR);
//             the rest docs/reference/hardware/decoder.md
// Golden twin csim/hw/twins/addr_decoder.h
`default_nettype none
module addr_decoder #(
    parameter ADDR_W       = 64,         // bits of an address, up to 64
    parameter PORTS        = 1,          // 1..16
    parameter STACKS       = 4,          // a power of two, 1..64
    parameter PAGE_BITS    = 12,         // log2 of a page's bytes, 10..24
    parameter FGP_LSB      = 10,         // 5 .. PAGE_BITS - log2(STACKS)
    parameter CHANNELS     = 8,          // of a stack: 1..256, an odd number up to 15 times 2^c
    parameter INTERLEAVE   = 256,        // bytes, a power of two, 32..1048576
    parameter BANKS        = 16,         // a power of two, 1..64
    parameter BURST_W      = 6,          // log2 of a burst's bytes, 2..7
    parameter MAP_W        = 16,         // bits below the row, up to 26
    parameter BANK_MASK    = 'he100,     // the bank's bits, log2(BANKS) of them, between BURST_W and MAP_W
    parameter HASH_CHANNEL = 0,          // 1: on
    parameter HASH_BANK    = 0           // 1: on
) (
    input  wire [PORTS*ADDR_W-1:0]                                                        addr_i,
    input  wire [PORTS*4-1:0]                                                             mode_i,
    output wire [PORTS*(STACKS > 1 ? $clog2(STACKS) : 1)-1:0]                             stack_o,
    output wire [PORTS*(ADDR_W-$clog2(STACKS))-1:0]                                       stack_local_o,
    output wire [PORTS*(CHANNELS > 1 ? $clog2(CHANNELS) : 1)-1:0]                         channel_o,
    output wire [PORTS*(ADDR_W-$clog2(STACKS)-$clog2(CHANNELS)+((1 << $clog2(CHANNELS)) != CHANNELS ? 1 : 0))-1:0] channel_local_o,
    output wire [PORTS*(BANKS > 1 ? $clog2(BANKS) : 1)-1:0]                               bank_o,
    output wire [PORTS*(ADDR_W-$clog2(STACKS)-$clog2(CHANNELS)+((1 << $clog2(CHANNELS)) != CHANNELS ? 1 : 0)-MAP_W)-1:0] row_o,
    output wire [PORTS*(MAP_W-BURST_W > $clog2(BANKS) ? MAP_W-BURST_W-$clog2(BANKS) : 1)-1:0] column_o
);
    localparam K       = $clog2(STACKS);
    localparam STACK_W = STACKS > 1 ? K : 1;
    localparam LOCAL_W = ADDR_W - K;                       // address inside the stack
    localparam C       = twos(CHANNELS);                   // channels = ODD * 2^C
    localparam ODD     = CHANNELS >> C;
    localparam R_W     = $clog2(ODD);                      // of a remainder by ODD
    localparam CH_W    = CHANNELS > 1 ? $clog2(CHANNELS) : 1;
    localparam LOW_W   = $clog2(INTERLEAVE);
    localparam X_W     = LOCAL_W - LOW_W - C;              // the block's number divided by 2^C, ...
    localparam Q_W     = X_W - R_W + (ODD > 1 ? 1 : 0);    // ... and by ODD
    localparam CHL_W   = Q_W + LOW_W;                      // address inside the channel
    localparam B       = $clog2(BANKS);
    localparam BANK_W  = BANKS > 1 ? B : 1;
    localparam ROW_W   = CHL_W - MAP_W;
    localparam COL_MASK = ((1 << MAP_W) - 1) & ~((1 << BURST_W) - 1) & ~BANK_MASK;
    localparam COLS    = MAP_W - BURST_W - B;
    localparam COL_W   = COLS > 0 ? COLS : 1;
    localparam FROM_W  = $clog2(ADDR_W);
    localparam TOP     = PAGE_BITS > 16 ? PAGE_BITS : 16;  // the highest first stack bit
    localparam XOR_LSB = 8;                                // the lowest stack bit of mode 3

    // How often two is in it.
    function integer twos(input integer number);
        integer i;
        begin
            twos = 0;
            for (i = 0; i < 9; i = i + 1)
                if (twos == i && ((number >> i) & 1) == 0) twos = i + 1;
        end
    endfunction

    function integer ones(input integer mask);
        integer i;
        begin
            ones = 0;
            for (i = 0; i < 31; i = i + 1)
                ones = ones + ((mask >> i) & 1);
        end
    endfunction

    // The bit of the n-th 1 of the mask, from below.
    function integer nth_set(input integer mask, input integer n);
        integer i, left;
        begin
            nth_set = 0;
            left  = n;
            for (i = 0; i < 31; i = i + 1)
                if (((mask >> i) & 1) != 0) begin
                    if (left == 0) nth_set = i;
                    left = left - 1;
                end
        end
    endfunction

    // Every K-th address bit above the stack's own: what mode 3 XORs stack bit n with.
    function [ADDR_W-1:0] pieces(input integer n);
        integer i;
        begin
            pieces = {ADDR_W{1'b0}};
            for (i = XOR_LSB + K + n; i < ADDR_W; i = i + K)
                pieces[i] = 1'b1;
        end
    endfunction

    // Every C-th bit from the n-th on: what is folded onto channel bit n.
    function [Q_W-1:0] every(input integer n);
        integer i;
        begin
            every = {Q_W{1'b0}};
            for (i = n; i < Q_W; i = i + C)
                every[i] = 1'b1;
        end
    endfunction

    generate
        if (ADDR_W > 64 || (STACKS > 1 && ADDR_W <= TOP + K) || CHL_W <= MAP_W || Q_W < 1) begin : g_bad_addr_w
            ILLEGAL_ADDR_W_must_leave_a_row_and_bits_above_the_stacks_and_be_at_most_64 u ();
        end
        if (PORTS < 1 || PORTS > 16) begin : g_bad_ports
            ILLEGAL_PORTS_must_be_1_to_16 u ();
        end
        if (STACKS < 1 || STACKS > 64 || STACKS != (1 << K)) begin : g_bad_stacks
            ILLEGAL_STACKS_must_be_a_power_of_two_1_to_64 u ();
        end
        if (PAGE_BITS < 10 || PAGE_BITS > 24) begin : g_bad_page_bits
            ILLEGAL_PAGE_BITS_must_be_10_to_24 u ();
        end
        if (FGP_LSB < 5 || FGP_LSB + K > PAGE_BITS) begin : g_bad_fgp_lsb
            ILLEGAL_FGP_LSB_must_be_5_to_PAGE_BITS_less_log2_of_STACKS u ();
        end
        if (CHANNELS < 1 || CHANNELS > 256 || ODD > 15) begin : g_bad_channels
            ILLEGAL_CHANNELS_must_be_1_to_256_an_odd_number_up_to_15_times_a_power_of_two u ();
        end
        if (INTERLEAVE < 32 || INTERLEAVE > 1048576 || INTERLEAVE != (1 << LOW_W)) begin : g_bad_interleave
            ILLEGAL_INTERLEAVE_must_be_a_power_of_two_32_to_1048576 u ();
        end
        if (BANKS < 1 || BANKS > 64 || BANKS != (1 << B)) begin : g_bad_banks
            ILLEGAL_BANKS_must_be_a_power_of_two_1_to_64 u ();
        end
        if (BURST_W < 2 || BURST_W > 7) begin : g_bad_burst_w
            ILLEGAL_BURST_W_must_be_2_to_7 u ();
        end
        if (MAP_W < BURST_W || MAP_W > 26) begin : g_bad_map_w
            ILLEGAL_MAP_W_must_be_BURST_W_to_26 u ();
        end
        if (ones(BANK_MASK) != B || (BANK_MASK >> MAP_W) != 0 || (BANK_MASK & ((1 << BURST_W) - 1)) != 0) begin : g_bad_bank_mask
            ILLEGAL_BANK_MASK_must_have_log2_of_BANKS_bits_from_BURST_W_to_MAP_W u ();
        end
        if (HASH_CHANNEL < 0 || HASH_CHANNEL > 1) begin : g_bad_hash_channel
            ILLEGAL_HASH_CHANNEL_must_be_0_or_1 u ();
        end
        if (HASH_BANK < 0 || HASH_BANK > 1) begin : g_bad_hash_bank
            ILLEGAL_HASH_BANK_must_be_0_or_1 u ();
        end
    endgenerate

    genvar g, n;
    generate
        for (g = 0; g < PORTS; g = g + 1) begin : g_port
            wire [ADDR_W-1:0]  addr = addr_i[g*ADDR_W +: ADDR_W];
            wire [3:0]         mode = mode_i[g*4 +: 4];
            wire [LOCAL_W-1:0] in_stack;
            wire [Q_W-1:0]     q;
            wire [CH_W-1:0]    channel;

            // ---- the stack ----

            if (STACKS == 1) begin : g_one_stack
                wire unused_mode = ^mode;
                assign stack_o[g*STACK_W +: STACK_W] = 1'b0;
                assign in_stack = addr;
            end else begin : g_stacks
                localparam [FROM_W-1:0] FROM_FGP  = FGP_LSB[FROM_W-1:0];
                localparam [FROM_W-1:0] FROM_PAGE = PAGE_BITS[FROM_W-1:0];
                reg [FROM_W-1:0] from;                     // the lowest stack bit
                always @*
                    case (mode)
                        4'd1: from = FROM_PAGE;
                        4'd2: from = {{FROM_W-5{1'b0}}, 5'd16};
                        4'd3: from = XOR_LSB[FROM_W-1:0];
                        4'd7, 4'd8, 4'd9, 4'd10, 4'd11, 4'd12, 4'd13, 4'd14, 4'd15: from = {{FROM_W-4{1'b0}}, mode};
                        default: from = FROM_FGP;
                    endcase
                wire [LOCAL_W-1:0] above = {LOCAL_W{1'b1}} << from;
                assign in_stack = (addr[LOCAL_W-1:0] & ~above) | (addr[ADDR_W-1:K] & above);
                wire [K-1:0] own = addr[from +: K];
                for (n = 0; n < K; n = n + 1) begin : g_bit
                    localparam [ADDR_W-1:0] PIECES = pieces(n);
                    assign stack_o[g*STACK_W + n] = own[n] ^ (mode == 4'd3 && ^(addr & PIECES));
                end
            end

            // ---- the channel ----

            wire [LOCAL_W-LOW_W-1:0] block = in_stack[LOCAL_W-1:LOW_W];
            if (CHANNELS == 1) begin : g_one_channel
                assign q       = block;
                assign channel = 1'b0;
            end else begin : g_channels
                if (ODD == 1) begin : g_power
                    assign q = block[X_W+C-1:C];
                end else begin : g_odd
                    div_const #(.W(X_W), .BY(ODD)) u_div (.x_i(block[X_W+C-1:C]), .q_o(q), .r_o(channel[CH_W-1:C]));
                end
                for (n = 0; n < C; n = n + 1) begin : g_bit
                    localparam [Q_W-1:0] FOLD = HASH_CHANNEL != 0 ? every(n) : {Q_W{1'b0}};
                    assign channel[n] = block[n] ^ ^(q & FOLD);
                end
            end
            wire [CHL_W-1:0] in_channel = {q, in_stack[LOW_W-1:0]};

            // ---- inside the channel ----

            wire [ROW_W-1:0] row = in_channel[CHL_W-1:MAP_W];
            if (BANKS == 1) begin : g_one_bank
                assign bank_o[g*BANK_W +: BANK_W] = 1'b0;
            end else begin : g_banks
                for (n = 0; n < B; n = n + 1) begin : g_bit
                    if (HASH_BANK != 0 && n < ROW_W) begin : g_hashed
                        assign bank_o[g*BANK_W + n] = in_channel[nth_set(BANK_MASK, n)] ^ row[n];
                    end else begin : g_plain
                        assign bank_o[g*BANK_W + n] = in_channel[nth_set(BANK_MASK, n)];
                    end
                end
            end
            if (COLS == 0) begin : g_one_column
                assign column_o[g*COL_W +: COL_W] = 1'b0;
            end else begin : g_columns
                for (n = 0; n < COLS; n = n + 1) begin : g_bit
                    assign column_o[g*COL_W + n] = in_channel[nth_set(COL_MASK, n)];
                end
            end

            assign stack_local_o[g*LOCAL_W +: LOCAL_W] = in_stack;
            assign channel_o[g*CH_W +: CH_W]           = channel;
            assign channel_local_o[g*CHL_W +: CHL_W]   = in_channel;
            assign row_o[g*ROW_W +: ROW_W]             = row;
        end
    endgenerate
endmodule
`default_nettype wire
