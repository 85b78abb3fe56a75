// decoder_claims: what is proved of addr_decoder (make formal; the lines are in rtl/decoder/proofs.list): where an
// address is, and back. Not synthesised, not simulated.
//
// Inputs are free: an assertion is shown for all their values. CLAIM picks one assertion, as a solver is quickest with
// one at a time.
//
// 0  address and mode follow from stack, channel, channel-local address and mode: the map has an inverse, so it is
//    one-to-one
// 1  likewise the other way: each stack, channel below CHANNELS and channel-local address is that of an address, unless
//    that would need more than ADDR_W bits. The XOR mode with plain channels alone: solvers are slow at two hashes in
//    one another, and the channel's sees stack-local addresses, all of which the other modes reach
// 2  a channel-local address follows from bank, row, column and byte of the burst
// 3  the stack's bits are those of the mode, and taking them out leaves the stack-local address
// 4  two different addresses never share stack and stack-local address, whatever their modes, if each aligned block of
//    max(page, 2^(lsb + k)) bytes has one mode: page groups are uniform
// 5  the same for pages that are FGP or CGP, in groups of STACKS pages (coda)
// 6  under the XOR mode two addresses that differ in one k-bit piece alone are in different stacks: STACKS addresses
//    that are 2^(8 + k * i) apart, the first of them aligned to that many times STACKS, meet every stack once
// 7  what the XOR mode is for can be: a hashed stack that is not the plain one, the last stack with low bits of zero,
//    different stacks for addresses of one column, one stack for others (cover)
`default_nettype none
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
    input wire [5:0]        stack_i,     // any location
    input wire [7:0]        channel_i,
    input wire [63:0]       channel_local_i
);
    localparam K       = $clog2(STACKS);
    localparam STACK_W = STACKS > 1 ? K : 1;
    localparam LOCAL_W = ADDR_W - K;
    localparam CH_W    = CHANNELS > 1 ? $clog2(CHANNELS) : 1;
    localparam LOW_1   = CHANNELS & -CHANNELS;
    localparam C       = $clog2(LOW_1);                    // channels = ODD * 2^C
    localparam ODD     = CHANNELS >> C;
    localparam CHL_W   = LOCAL_W - $clog2(CHANNELS) + (ODD > 1 ? 1 : 0);
    localparam LOW_W   = $clog2(INTERLEAVE);
    localparam BANK_W  = BANKS > 1 ? $clog2(BANKS) : 1;
    localparam ROW_W   = CHL_W - MAP_W;
    localparam COL_W   = MAP_W - BURST_W > $clog2(BANKS) ? MAP_W - BURST_W - $clog2(BANKS) : 1;

    // ---- the lowest stack bit of a mode, typed in anew ----

    function [5:0] lsb(input [3:0] mode);
        lsb = mode == 4'd1 ? PAGE_BITS : mode == 4'd2 ? 16 : mode == 4'd3 ? 8 : mode >= 4'd7 ? {2'd0, mode} : FGP_LSB;
    endfunction

    // ---- the stack before it was hashed (mode 3), or after: XOR all K-bit pieces of what is above its granule ----

    function [STACK_W-1:0] hashed(input [STACK_W-1:0] stack, input [ADDR_W+1:0] above, input [3:0] mode);
        reg [ADDR_W+1:0] left;
        integer          i;
        begin
            hashed = stack;
            left   = above;
            for (i = 0; i < ADDR_W + 2 && K > 0; i = i + (K > 0 ? K : 1)) begin
                if (mode == 4'd3) hashed = hashed ^ left[STACK_W-1:0];
                left = left >> K;
            end
        end
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

    wire unused = &{1'b0, stack_i, channel_i, channel_local_i, c_local, b_channel, b_chl, b_bank, c_bank, b_row, c_row, b_column, c_column};

    // ---- the way back: by arithmetic, in ADDR_W + 2 bits so that nothing is lost ----

    // The channel before it was hashed: its C low bits XOR each piece of C bits of the quotient.
    localparam [CH_W-1:0] LOW_1_LESS_1 = LOW_1[CH_W-1:0] - 1'b1;
    function [CH_W-1:0] unhash(input [CH_W-1:0] channel, input [CHL_W-1:0] chl);
        reg [CHL_W-1:0] q;
        integer         i;
        begin
            unhash = channel;
            q      = chl >> LOW_W;
            for (i = 0; i < CHL_W && HASH_CHANNEL != 0 && C > 0; i = i + (C > 0 ? C : 1)) begin
                unhash = unhash ^ (q[CH_W-1:0] & LOW_1_LESS_1);
                q      = q >> C;
            end
        end
    endfunction

    function [ADDR_W+1:0] rebuilt(input [STACK_W-1:0] stack, input [CH_W-1:0] channel, input [CHL_W-1:0] chl, input [3:0] mode);
        reg [ADDR_W+1:0] wide, q, times, block, local_address, low;
        integer          i;
        begin
            wide          = {{ADDR_W+2-CHL_W{1'b0}}, chl};
            q             = wide >> LOW_W;
            times         = 0;
            for (i = 0; i < 4; i = i + 1)
                if (((ODD >> i) & 1) != 0) times = times + (q << i);
            block         = (times << C) +
                            (CHANNELS > 1 ? {{ADDR_W+2-CH_W{1'b0}}, unhash(channel, chl)} : 0);
            local_address = (block << LOW_W) | (wide & (INTERLEAVE - 1));
            low           = ~({ADDR_W+2{1'b1}} << lsb(mode));
            rebuilt       = (local_address & low) | ((local_address & ~low) << K) |
                            (STACKS > 1 ? {{ADDR_W+2-STACK_W{1'b0}}, hashed(stack, local_address >> 8, mode)} << lsb(mode) : 0);
        end
    endfunction

    function [CHL_W-1:0] gathered(input [BANK_W-1:0] bank, input [ROW_W-1:0] row, input [COL_W-1:0] column, input [BURST_W-1:0] byte_of);
        integer                i, at_bank, at_column;
        reg [BANK_W+ROW_W-1:0] plain;
        begin
            plain    = {{ROW_W{1'b0}}, bank} ^ (HASH_BANK != 0 ? {{BANK_W{1'b0}}, row} : 0);
            gathered = {row, {MAP_W{1'b0}}} | {{CHL_W-BURST_W{1'b0}}, byte_of};
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

    // Any location.
    wire [STACK_W-1:0] any_stack   = STACKS > 1 ? stack_i[STACK_W-1:0] : 0;
    wire [CH_W-1:0]    any_channel = CHANNELS > 1 ? channel_i[CH_W-1:0] : 0;
    wire [CHL_W-1:0]   any_chl     = channel_local_i[CHL_W-1:0];
    wire [ADDR_W+1:0]  any_addr    = rebuilt(any_stack, any_channel, any_chl, a_mode_i);
    addr_decoder #(ADDR_W, 1, STACKS, PAGE_BITS, FGP_LSB, CHANNELS, INTERLEAVE, BANKS, BURST_W, MAP_W, BANK_MASK, HASH_CHANNEL, HASH_BANK)
        of_any (any_addr[ADDR_W-1:0], a_mode_i, c_stack, c_local, c_channel, c_chl, c_bank, c_row, c_column);

    // ---- groups ----

    function [5:0] group_w(input [3:0] mode);
        group_w = lsb(mode) + K[5:0] > PAGE_BITS[5:0] ? lsb(mode) + K[5:0] : PAGE_BITS[5:0];
    endfunction
    wire [5:0] wider   = group_w(a_mode_i) > group_w(b_mode_i) ? group_w(a_mode_i) : group_w(b_mode_i);
    wire       uniform = a_mode_i == b_mode_i || (a_i >> wider) != (b_i >> wider);
    wire       by_page = a_mode_i <= 4'd1 && b_mode_i <= 4'd1 &&
                         (a_mode_i == b_mode_i || (a_i >> (PAGE_BITS + K)) != (b_i >> (PAGE_BITS + K)));

    // ---- pieces ----

    wire [STACK_W-1:0] all_pieces = hashed({STACK_W{1'b0}}, {2'b00, a_i >> 8}, 4'd3);
    wire [ADDR_W-1:0] differ = (a_i ^ b_i) >> 8;
    reg               one_piece;         // a and b differ in bits of one K-bit piece above bit 8, and in no others
    integer           at;
    always @* begin
        one_piece = 1'b0;
        for (at = 0; at < ADDR_W - 8 && K > 0; at = at + (K > 0 ? K : 1))
            one_piece = one_piece | (differ >> at != 0 && (differ >> at) < STACKS && (differ >> at) << at == differ);
        one_piece = one_piece & a_i[7:0] == b_i[7:0];
    end

    wire [ADDR_W-1:0] a_low = ~({ADDR_W{1'b1}} << lsb(a_mode_i));

    always @*
        case (CLAIM)
            0: assert ({{32-CH_W{1'b0}}, a_channel} < CHANNELS && rebuilt(a_stack, a_channel, a_chl, a_mode_i) == {2'b00, a_i});
            1: if (!(HASH_CHANNEL != 0 && a_mode_i == 4'd3) && any_addr[ADDR_W+1:ADDR_W] == 2'b00 && {{32-CH_W{1'b0}}, any_channel} < CHANNELS)
                   assert ((STACKS == 1 || c_stack == any_stack) && (CHANNELS == 1 || c_channel == any_channel) && c_chl == any_chl);
            2: assert (gathered(a_bank, a_row, a_column, a_chl[BURST_W-1:0]) == a_chl);
            3: assert ({{ADDR_W-STACK_W{1'b0}}, a_stack} == (a_mode_i == 4'd3 ? {{ADDR_W-STACK_W{1'b0}}, all_pieces}
                                                                              : ((a_i >> lsb(a_mode_i)) & (STACKS - 1))) &&
                       {{K+1{1'b0}}, a_local} == {1'b0, (a_i & a_low) | ((a_i >> K) & ~a_low)});
            4: if (uniform && a_i != b_i) assert ({a_stack, a_local} != {b_stack, b_local});
            5: if (by_page && a_i != b_i) assert ({a_stack, a_local} != {b_stack, b_local});
            6: if (a_mode_i == 4'd3 && b_mode_i == 4'd3 && one_piece) assert (a_stack != b_stack);
            default: begin
                hashed_otherwise: cover (a_mode_i == 4'd3 && {{ADDR_W-STACK_W{1'b0}}, a_stack} != ((a_i >> 8) & (STACKS - 1)));
                last_stack: cover (a_mode_i == 4'd3 && &a_stack && a_i[11:8] == 4'd0);
                a_column_apart: cover (a_mode_i == 4'd3 && b_mode_i == 4'd3 && one_piece && a_i[11:0] == b_i[11:0]);
                same_stack: cover (a_mode_i == 4'd3 && b_mode_i == 4'd3 && a_stack == b_stack && a_i[11:0] != b_i[11:0]);
            end
        endcase
endmodule
`default_nettype wire
