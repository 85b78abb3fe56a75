// tafe_comparator: the table of tracked arrays; finds the stores into them and cuts these into elements.
//
// The first stage compares the address with every entry (base <= address < limit; the lowest entry wins). The second
// subtracts the base, shifts by the element's size and gives the elements of the store one after another. A store that
// is narrower than an element gives an element of unknown value (el_saturated_o), and so does a value that does not fit
// into INDEX_W bits. Elements at or above the limit are left out.
//
// Latency     an element is there two edges after its store is taken, if nothing waits before it.
// Throughput  an element a cycle; a store into no tracked array ends in the first stage.
// Handshake   ready/valid; st_ready_o depends on el_ready_i and drain_i, el_valid_o on registers alone.
// Source      tafe, section 4.3, Figure 9, step 1
`default_nettype none
module tafe_comparator #(
    parameter ENTRIES = 2,               // all as in tafe_top
    parameter ADDR_W  = 48,
    parameter INDEX_W = 32
) (
    input  wire                       clk_i,
    input  wire                       rst_i,          // synchronous, active high
    input  wire                       drain_i,        // no store is taken
    input  wire                       st_valid_i,
    output wire                       st_ready_o,
    input  wire [ADDR_W-1:0]          st_addr_i,
    input  wire [63:0]                st_data_i,
    input  wire [1:0]                 st_size_i,
    input  wire                       register_i,     // fills entry cmd_entry_i; the pipeline is empty then
    input  wire                       free_i,         // frees it
    input  wire [$clog2(ENTRIES)-1:0] cmd_entry_i,
    input  wire [ADDR_W-1:0]          cmd_base_i,
    input  wire [ADDR_W-1:0]          cmd_limit_i,
    input  wire [1:0]                 cmd_size_i,
    input  wire                       cmd_type_i,
    input  wire [ADDR_W-7:0]          cmd_extents_i,
    input  wire [ADDR_W-7:0]          cmd_source_i,
    input  wire [INDEX_W-1:0]         cmd_c_s_i,
    input  wire [INDEX_W-1:0]         cmd_c_e_i,
    output wire                       el_valid_o,
    input  wire                       el_ready_i,
    output wire [$clog2(ENTRIES)-1:0] el_entry_o,
    output wire [INDEX_W-1:0]         el_index_o,
    output wire [INDEX_W-1:0]         el_value_o,
    output wire                       el_saturated_o,
    input  wire [$clog2(ENTRIES)-1:0] inv_entry_i,    // the entry that the inverse relation works for: its fields
    output wire                       inv_type_o,
    output wire [ADDR_W-7:0]          inv_source_o,
    output wire [INDEX_W-1:0]         inv_c_s_o,
    output wire [INDEX_W-1:0]         inv_c_e_o,
    output wire [INDEX_W-1:0]         inv_count_o,    // elements of the array
    input  wire [$clog2(ENTRIES)-1:0] ext_entry_i,    // the entry whose extent is widened
    output wire [ADDR_W-7:0]          ext_extents_o,
    output wire                       busy_o
);
    localparam ENTRY_W = $clog2(ENTRIES);
    localparam LINE_W  = ADDR_W - 6;

    reg [ENTRIES-1:0]         valid_q;                // the table
    reg [ENTRIES*ADDR_W-1:0]  base_q;
    reg [ENTRIES*ADDR_W-1:0]  limit_q;
    reg [ENTRIES*2-1:0]       size_q;
    reg [ENTRIES-1:0]         type_q;
    reg [ENTRIES*LINE_W-1:0]  extents_q;
    reg [ENTRIES*LINE_W-1:0]  source_q;
    reg [ENTRIES*INDEX_W-1:0] c_s_q;
    reg [ENTRIES*INDEX_W-1:0] c_e_q;
    reg                       first_valid_q;          // the first stage
    reg [ADDR_W-1:0]          first_addr_q;
    reg [63:0]                first_data_q;
    reg [1:0]                 first_size_q;
    reg                       second_valid_q;         // the second
    reg [ENTRY_W-1:0]         second_entry_q;
    reg [ADDR_W-1:0]          second_addr_q;
    reg [63:0]                second_data_q;
    reg [1:0]                 second_size_q;
    reg [2:0]                 part_q;

    // ---- first stage: whose ----

    reg                hit;
    reg  [ENTRY_W-1:0] entry;
    integer            i;
    always @* begin
        hit   = 1'b0;
        entry = {ENTRY_W{1'b0}};
        for (i = ENTRIES - 1; i >= 0; i = i - 1)
            if (valid_q[i] && first_addr_q >= base_q[i*ADDR_W +: ADDR_W] && first_addr_q < limit_q[i*ADDR_W +: ADDR_W]) begin
                hit   = 1'b1;
                entry = i[ENTRY_W-1:0];
            end
    end

    // ---- second stage: which element, which value ----

    wire [1:0]         size      = size_q[second_entry_q*2 +: 2];
    wire [ADDR_W-1:0]  offset    = second_addr_q - base_q[second_entry_q*ADDR_W +: ADDR_W];
    wire [ADDR_W-1:0]  element   = offset >> size;
    wire [INDEX_W-1:0] index     = element[INDEX_W-1:0] + {{INDEX_W-3{1'b0}}, part_q};
    wire [ADDR_W-1:0]  length    = limit_q[second_entry_q*ADDR_W +: ADDR_W] - base_q[second_entry_q*ADDR_W +: ADDR_W];
    wire [ADDR_W-1:0]  elements  = length >> size;
    wire [2:0]         last_part = second_size_q <= size ? 3'd0 : (3'd1 << (second_size_q - size)) - 3'd1;
    wire               last      = part_q == last_part || index + 1'b1 == elements[INDEX_W-1:0];
    wire [63:0]        shifted   = second_data_q >> ({3'd0, part_q} << ({1'b0, size} + 3'd3));
    wire [63:0]        field     = shifted & ~(~64'd1 << (6'd7 + (6'd8 * ((6'd1 << size) - 6'd1))));
    wire [63:0]        above     = field >> INDEX_W;

    wire second_leaves = second_valid_q && el_ready_i && last;
    wire second_free   = !second_valid_q || second_leaves;
    wire advance       = first_valid_q && hit && second_free;
    wire first_leaves  = first_valid_q && (!hit || second_free);
    wire take          = st_valid_i && st_ready_o;

    assign st_ready_o     = !drain_i && (!first_valid_q || first_leaves);
    assign el_valid_o     = second_valid_q;
    assign el_entry_o     = second_entry_q;
    assign el_index_o     = index;
    assign el_value_o     = field[INDEX_W-1:0];
    assign el_saturated_o = second_size_q < size || above != 64'd0;
    assign busy_o         = first_valid_q || second_valid_q;

    // ---- the table as the later stages see it ----

    wire [1:0]        inv_size     = size_q[inv_entry_i*2 +: 2];
    wire [ADDR_W-1:0] inv_length   = limit_q[inv_entry_i*ADDR_W +: ADDR_W] - base_q[inv_entry_i*ADDR_W +: ADDR_W];
    wire [ADDR_W-1:0] inv_elements = inv_length >> inv_size;
    assign inv_type_o    = type_q[inv_entry_i];
    assign inv_source_o  = source_q[inv_entry_i*LINE_W +: LINE_W];
    assign inv_c_s_o     = c_s_q[inv_entry_i*INDEX_W +: INDEX_W];
    assign inv_c_e_o     = c_e_q[inv_entry_i*INDEX_W +: INDEX_W];
    assign inv_count_o   = inv_elements[INDEX_W-1:0];
    assign ext_extents_o = extents_q[ext_entry_i*LINE_W +: LINE_W];

    wire unused = &{1'b0, element[ADDR_W-1:INDEX_W], elements[ADDR_W-1:INDEX_W], inv_elements[ADDR_W-1:INDEX_W]};

    always @(posedge clk_i)
        if (rst_i) begin
            valid_q        <= {ENTRIES{1'b0}};
            base_q         <= {ENTRIES*ADDR_W{1'b0}};
            limit_q        <= {ENTRIES*ADDR_W{1'b0}};
            size_q         <= {ENTRIES*2{1'b0}};
            type_q         <= {ENTRIES{1'b0}};
            extents_q      <= {ENTRIES*LINE_W{1'b0}};
            source_q       <= {ENTRIES*LINE_W{1'b0}};
            c_s_q          <= {ENTRIES*INDEX_W{1'b0}};
            c_e_q          <= {ENTRIES*INDEX_W{1'b0}};
            first_valid_q  <= 1'b0;
            first_addr_q   <= {ADDR_W{1'b0}};
            first_data_q   <= 64'd0;
            first_size_q   <= 2'd0;
            second_valid_q <= 1'b0;
            second_entry_q <= {ENTRY_W{1'b0}};
            second_addr_q  <= {ADDR_W{1'b0}};
            second_data_q  <= 64'd0;
            second_size_q  <= 2'd0;
            part_q         <= 3'd0;
        end else begin
            first_valid_q  <= take || (first_valid_q && !first_leaves);
            second_valid_q <= advance || (second_valid_q && !second_leaves);
            if (take) begin
                first_addr_q <= st_addr_i;
                first_data_q <= st_data_i;
                first_size_q <= st_size_i;
            end
            if (advance) begin
                second_entry_q <= entry;
                second_addr_q  <= first_addr_q;
                second_data_q  <= first_data_q;
                second_size_q  <= first_size_q;
                part_q         <= 3'd0;
            end else if (second_valid_q && el_ready_i && !last)
                part_q <= part_q + 3'd1;
            if (free_i)
                valid_q[cmd_entry_i] <= 1'b0;
            if (register_i) begin
                valid_q[cmd_entry_i]                       <= 1'b1;
                base_q[cmd_entry_i*ADDR_W +: ADDR_W]       <= cmd_base_i;
                limit_q[cmd_entry_i*ADDR_W +: ADDR_W]      <= cmd_limit_i;
                size_q[cmd_entry_i*2 +: 2]                 <= cmd_size_i;
                type_q[cmd_entry_i]                        <= cmd_type_i;
                extents_q[cmd_entry_i*LINE_W +: LINE_W]    <= cmd_extents_i;
                source_q[cmd_entry_i*LINE_W +: LINE_W]     <= cmd_source_i;
                c_s_q[cmd_entry_i*INDEX_W +: INDEX_W]      <= cmd_c_s_i;
                c_e_q[cmd_entry_i*INDEX_W +: INDEX_W]      <= cmd_c_e_i;
            end
        end
endmodule
`default_nettype wire
