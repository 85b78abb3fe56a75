// Proofs about addr_decoder: what `make formal` hands to the solver (rtl/proofs.list). Not synthesised, not simulated.
//
// Inputs are free: an assertion is shown for all their values. CLAIM picks one assertion, as a solver is quickest with one at a time.
`default_nettype none

// Quotient and remainder by three.
module div3_claims #(
    parameter W = 32
) (
    input wire [W-1:0] x_i
);
    wire [W-2:0] q;
    wire [1:0]   r;
    div3 #(.W(W)) dut (.x_i(x_i), .q_o(q), .r_o(r));

    always @* assert (r != 2'd3 && {2'b00, q} + {1'b0, q, 1'b0} + {{W-1{1'b0}}, r} == {1'b0, x_i});
endmodule

// Where an address stands, and back.
//
// 0  address and mode can be told from stack, channel, channel-local address and mode: the map has an inverse, so it is one-to-one
// 1  likewise the other way: each stack, channel below CHANNELS and channel-local address is that of an address, unless that would need
//    more than ADDR_W bits
// 2  a channel-local address can be told from bank, row, column and byte of the burst
// 3  the stack's bits are those of the mode, and taking them out leaves the stack-local address
// 4  two different addresses never share stack and stack-local address, whatever their modes, if each aligned block of
//    max(page, 2^(lsb + k)) bytes has one mode: page groups are uniform
// 5  the same for pages that are FGP or CGP, in groups of STACKS pages (coda)
module decoder_claims #(
    parameter CLAIM        = 0,
    parameter ADDR_W       = 48,
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
) (
    input wire [ADDR_W-1:0] a_i,
    input wire [3:0]        a_mode_i,
    input wire [ADDR_W-1:0] b_i,
    input wire [3:0]        b_mode_i,
    input wire [5:0]        stack_i,     // any place
    input wire [7:0]        channel_i,
    input wire [63:0]       channel_local_i
);
    localparam K       = $clog2(STACKS);
    localparam STACK_W = STACKS > 1 ? K : 1;
    localparam LOCAL_W = ADDR_W - K;
    localparam BY3     = CHANNELS % 3 == 0 ? 1 : 0;
    localparam CH_W    = CHANNELS > 1 ? $clog2(CHANNELS) : 1;
    localparam CHL_W   = LOCAL_W - $clog2(CHANNELS) + BY3;
    localparam C       = $clog2(CHANNELS) - 2 * BY3;
    localparam LOW_W   = $clog2(INTERLEAVE);
    localparam BANK_W  = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam ROW_W   = CHL_W - MAP_W;
    localparam COL_W   = MAP_W - BURST_W > $clog2(BANKS) ? MAP_W - BURST_W - $clog2(BANKS) : 1;

    // ---- the lowest stack bit of a mode, typed in anew ----

    function [5:0] lsb(input [3:0] mode);
        lsb = mode == 4'd1 ? PAGE_BITS : mode == 4'd2 ? 16 : mode >= 4'd7 ? mode : FGP_LSB;
    endfunction

    // ---- the way there: the block ----

    wire [STACK_W-1:0] a_stack, b_stack, c_stack;
    wire [LOCAL_W-1:0] a_local, b_local, c_local;
    wire [CH_W-1:0]    a_channel, b_channel, c_channel;
    wire [CHL_W-1:0]   a_chl, b_chl, c_chl;
    wire [BANK_W-1:0]  a_bank, b_bank, c_bank;
    wire [ROW_W-1:0]   a_row, b_row, c_row;
    wire [COL_W-1:0]   a_column, b_column, c_column;
    addr_decoder #(ADDR_W, 1, STACKS, PAGE_BITS, FGP_LSB, CHANNELS, INTERLEAVE, BANKS, BURST_W, MAP_W, BANK_MASK, HASH_CHANNEL, HASH_BANK)
        of_a (a_i, a_mode_i, a_stack, a_local, a_channel, a_chl, a_bank, a_row, a_column);
    addr_decoder #(ADDR_W, 1, STACKS, PAGE_BITS, FGP_LSB, CHANNELS, INTERLEAVE, BANKS, BURST_W, MAP_W, BANK_MASK, HASH_CHANNEL, HASH_BANK)
        of_b (b_i, b_mode_i, b_stack, b_local, b_channel, b_chl, b_bank, b_row, b_column);

    // ---- the way back: by arithmetic, in ADDR_W + 2 bits so that nothing is lost ----

    // The channel before it was hashed: its C low bits XOR each piece of C bits of the quotient.
    function [CH_W-1:0] unhash(input [CH_W-1:0] channel, input [CHL_W-1:0] chl);
        reg [CHL_W-1:0] q;
        integer         i;
        begin
            unhash = channel;
            q      = chl >> LOW_W;
            for (i = 0; i < CHL_W && HASH_CHANNEL != 0 && C > 0; i = i + (C > 0 ? C : 1))
                unhash = unhash ^ (q >> i);
        end
    endfunction

    function [ADDR_W+1:0] rebuilt(input [STACK_W-1:0] stack, input [CH_W-1:0] channel, input [CHL_W-1:0] chl, input [3:0] mode);
        reg [ADDR_W+1:0] q, block, local_address, low;
        begin
            q             = chl >> LOW_W;
            block         = (((BY3 != 0 ? (q << 1) : 0) + q) << C) + (CHANNELS > 1 ? unhash(channel, chl) : 0);
            local_address = (block << LOW_W) | (chl & (INTERLEAVE - 1));
            low           = ~({ADDR_W+2{1'b1}} << lsb(mode));
            rebuilt       = (local_address & low) | ((local_address & ~low) << K) | (STACKS > 1 ? {{ADDR_W+2{1'b0}}, stack} << lsb(mode) : 0);
        end
    endfunction

    function [CHL_W-1:0] gathered(input [BANK_W-1:0] bank, input [ROW_W-1:0] row, input [COL_W-1:0] column, input [BURST_W-1:0] byte_of);
        integer            i, at_bank, at_column;
        reg [BANK_W-1:0]   plain;
        begin
            plain    = HASH_BANK != 0 ? bank ^ row : bank;
            gathered = {row, {MAP_W{1'b0}}} | byte_of;
            at_bank = 0; at_column = 0;
            for (i = BURST_W; i < MAP_W; i = i + 1)
                if (((BANK_MASK >> i) & 1) != 0) begin
                    gathered[i] = plain[at_bank];
                    at_bank = at_bank + 1;
                end else begin
                    gathered[i] = column[at_column];
                    at_column = at_column + 1;
                end
        end
    endfunction

    // Any place.
    wire [STACK_W-1:0] any_stack   = STACKS > 1 ? stack_i[STACK_W-1:0] : 0;
    wire [CH_W-1:0]    any_channel = CHANNELS > 1 ? channel_i[CH_W-1:0] : 0;
    wire [CHL_W-1:0]   any_chl     = channel_local_i[CHL_W-1:0];
    wire [ADDR_W+1:0]  any_addr    = rebuilt(any_stack, any_channel, any_chl, a_mode_i);
    addr_decoder #(ADDR_W, 1, STACKS, PAGE_BITS, FGP_LSB, CHANNELS, INTERLEAVE, BANKS, BURST_W, MAP_W, BANK_MASK, HASH_CHANNEL, HASH_BANK)
        of_any (any_addr[ADDR_W-1:0], a_mode_i, c_stack, c_local, c_channel, c_chl, c_bank, c_row, c_column);

    // ---- groups ----

    function [5:0] group_w(input [3:0] mode);
        group_w = lsb(mode) + K > PAGE_BITS ? lsb(mode) + K : PAGE_BITS;
    endfunction
    wire [5:0] wider   = group_w(a_mode_i) > group_w(b_mode_i) ? group_w(a_mode_i) : group_w(b_mode_i);
    wire       uniform = a_mode_i == b_mode_i || (a_i >> wider) != (b_i >> wider);
    wire       by_page = a_mode_i <= 4'd1 && b_mode_i <= 4'd1 &&
                         (a_mode_i == b_mode_i || (a_i >> (PAGE_BITS + K)) != (b_i >> (PAGE_BITS + K)));

    wire [ADDR_W-1:0] a_low = ~({ADDR_W{1'b1}} << lsb(a_mode_i));

    always @*
        case (CLAIM)
            0: assert (a_channel < CHANNELS && rebuilt(a_stack, a_channel, a_chl, a_mode_i) == {2'b00, a_i});
            1: if (any_addr[ADDR_W+1:ADDR_W] == 2'b00 && any_channel < CHANNELS)
                   assert ((STACKS == 1 || c_stack == any_stack) && (CHANNELS == 1 || c_channel == any_channel) && c_chl == any_chl);
            2: assert (gathered(a_bank, a_row, a_column, a_chl[BURST_W-1:0]) == a_chl);
            3: assert (a_stack == ((a_i >> lsb(a_mode_i)) & (STACKS - 1)) &&
                       a_local == ((a_i & a_low) | ((a_i >> K) & ~a_low)));
            4: if (uniform && a_i != b_i) assert ({a_stack, a_local} != {b_stack, b_local});
            default: if (by_page && a_i != b_i) assert ({a_stack, a_local} != {b_stack, b_local});
        endcase
endmodule

// Figure 6 of coda: four stacks, pages of 4 KB, blocks of 1 KB: block n is the n-th KB of memory. FGP 0, blocks 0 to 3, becomes a CGP while
// the pages 1 to 3 of its group stay FGP.
//
// CLAIM 0  that its blocks fall upon blocks 4, 8 and 12 occurs (cover: three traces)
// CLAIM 1  and upon no others, in no other stack
// CLAIM 2  with all four pages CGP none falls upon another
module decoder_figure_6 #(
    parameter CLAIM = 0
) (
    input wire [17:0] group_i,           // any group of four pages
    input wire [1:0]  block_i,           // a block of page 0
    input wire [3:0]  other_i,           // a block of the other three
    input wire [9:0]  byte_i,
    input wire [9:0]  other_byte_i
);
    wire [31:0] a = {group_i, 2'b00, block_i, byte_i}, b = {group_i, other_i, other_byte_i};
    wire [1:0]  a_stack, b_stack;
    wire [29:0] a_local, b_local;
    wire        a_channel, b_channel;
    wire [29:0] a_chl, b_chl;
    wire [3:0]  a_bank, b_bank;
    wire [13:0] a_row, b_row;
    wire [5:0]  a_column, b_column;
    addr_decoder #(.ADDR_W(32), .CHANNELS(1)) of_a (a, 4'd1, a_stack, a_local, a_channel, a_chl, a_bank, a_row, a_column);
    addr_decoder #(.ADDR_W(32), .CHANNELS(1)) of_b (b, CLAIM == 2 ? 4'd1 : 4'd0, b_stack, b_local, b_channel, b_chl, b_bank, b_row, b_column);

    wire same = a_stack == b_stack && a_local == b_local;
    always @*
        if (other_i >= 4'd4)
            case (CLAIM)
                0: begin
                    block_1_upon_4: cover (same && block_i == 2'd1 && other_i == 4'd4);
                    block_2_upon_8: cover (same && block_i == 2'd2 && other_i == 4'd8);
                    block_3_upon_12: cover (same && block_i == 2'd3 && other_i == 4'd12);
                end
                1: assert (!same || (a_stack == 2'd0 && block_i != 2'd0 && other_i == {block_i, 2'b00} && byte_i == other_byte_i));
                default: assert (!same);
            endcase
endmodule
`default_nettype wire
