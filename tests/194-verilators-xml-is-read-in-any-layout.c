/* 194: bind_xml_read(): the ports, parameters and registers of a module from Verilator's XML, whatever its lines: one
 * element per line as Verilator writes it, several in a line, one in several lines. What is not XML is refused with its
 * line. */
#include <criterion/criterion.h>
#include <string.h>

#include "bind/xml.h"
#include "support/program.h"

/* The Verilog of which this is the XML, in the parts that are read:
 *     module top #(parameter W = 8) (input clk_i, input [7:0] a_i, output [16:0] b_o);
 *         reg [7:0] kept_q [0:3]; wire unused; reg plain;
 *         generate for (g = 0; g < 1; g = g + 1) begin : g_lane reg [2:0] sum_q; end endgenerate
 *         always @(posedge clk_i) plain <= unused;
 *         function f(input x_q); ... endfunction
 *         leaf #(.D(3)) u_leaf (); */
#define ELEMENTS(END)                                                                                                              \
	"<?xml version=\"1.0\" ?>" END "<verilator_xml>" END "<cells>" END                                                         \
	"<cell loc=\"d,1,8,1,11\" name=\"top\" submodname=\"top\" hier=\"top\">" END                                               \
	"<cell name=\"u_leaf\" submodname=\"leaf__D3\" hier=\"top.u_leaf\"/>" END "</cell>" END "</cells>" END "<netlist>" END     \
	"<module name=\"top\" origName=\"top\" topModule=\"1\">" END                                                               \
	"<var name=\"W\" dtype_id=\"3\" vartype=\"logic\" origName=\"W\" param=\"true\"/>" END                                     \
	"<var name=\"clk_i\" dtype_id=\"1\" dir=\"input\" pinIndex=\"1\"/>" END                                                    \
	"<var name=\"a_i\" dtype_id=\"2\" dir=\"input\"/>" END "<var name=\"b_o\" dtype_id=\"4\" dir=\"output\"/>" END             \
	"<var name=\"kept_q\" dtype_id=\"5\"/>" END "<var name=\"unused\" dtype_id=\"1\"/>" END                                    \
	"<var name=\"plain\" dtype_id=\"1\"/>" END "<begin name=\"g_lane[0]\">" END "<var name=\"sum_q\" dtype_id=\"6\"/>" END     \
	"</begin>" END "<func name=\"f\">" END "<var name=\"x_q\" dtype_id=\"1\" dir=\"input\"/>" END "</func>" END "<always>" END \
	"<assigndly dtype_id=\"1\">" END "<varref name=\"unused\" dtype_id=\"1\"/>" END                                            \
	"<varref name=\"plain\" dtype_id=\"1\"/>" END "</assigndly>" END "</always>" END "</module>" END                           \
	"<module name=\"leaf__D3\" origName=\"leaf\">" END "<var name=\"deep_q\" dtype_id=\"2\"/>" END "</module>" END             \
	"<typetable>" END "<basicdtype id=\"1\" name=\"logic\"/>" END                                                              \
	"<basicdtype id=\"2\" name=\"logic\" left=\"7\" right=\"0\"/>" END                                                         \
	"<basicdtype id=\"3\" name=\"logic\" left=\"31\" right=\"0\" signed=\"true\"/>" END                                        \
	"<basicdtype id=\"4\" name=\"logic\" left=\"16\" right=\"0\"/>" END "<unpackarraydtype id=\"5\" sub_dtype_id=\"2\">" END   \
	"<range>" END "<const name=\"32&apos;sh0\" dtype_id=\"3\"/>" END "<const name=\"32&apos;sh3\" dtype_id=\"3\"/>" END        \
	"</range>" END "</unpackarraydtype>" END "<basicdtype id=\"6\" name=\"logic\" left=\"2\" right=\"0\"/>" END                \
	"</typetable>" END "</netlist>" END "</verilator_xml>" END

static const struct bind_var want[] = {
	{.kind = BIND_VAR_PARAM, .path = "W", .width = 32, .module = NULL, .name = NULL},
	{.kind = BIND_VAR_INPUT, .path = "clk_i", .width = 1, .module = NULL, .name = NULL},
	{.kind = BIND_VAR_INPUT, .path = "a_i", .width = 8, .module = NULL, .name = NULL},
	{.kind = BIND_VAR_OUTPUT, .path = "b_o", .width = 17, .module = NULL, .name = NULL},
	{.kind = BIND_VAR_REG, .path = "kept_q", .width = 32, .module = "top", .name = "kept_q"},
	{.kind = BIND_VAR_REG, .path = "plain", .width = 1, .module = "top", .name = "plain"},
	{.kind = BIND_VAR_REG, .path = "g_lane[0].sum_q", .width = 3, .module = "top", .name = "sum_q"},
	{.kind = BIND_VAR_REG, .path = "u_leaf.deep_q", .width = 8, .module = "leaf", .name = "deep_q"},
};

static void is_the_module(const char *text)
{
	struct arena a = {0};
	struct bind_module m;
	struct err e = {""};

	program_file("top.xml", text);
	cr_assert_eq(bind_xml_read(&m, program_path("top.xml"), &a, &e), 0, "%s", e.text);
	cr_expect_str_eq(m.name, "top");
	cr_assert_eq(m.n_modules, 2);
	cr_expect_str_eq(m.module[0], "top");
	cr_expect_str_eq(m.module[1], "leaf");
	cr_assert_eq(m.n, sizeof want / sizeof want[0]);
	for (unsigned i = 0; i < m.n; i++) {
		cr_expect_eq(m.var[i].kind, want[i].kind, "%u", i);
		cr_expect_str_eq(m.var[i].path, want[i].path);
		cr_expect_eq(m.var[i].width, want[i].width, "%s: %u bits", want[i].path, m.var[i].width);
		if (want[i].module) {
			cr_expect_str_eq(m.var[i].module, want[i].module);
			cr_expect_str_eq(m.var[i].name, want[i].name);
		}
	}
	arena_free(&a);
}

Test(verilators_xml, of_one_element_per_line_is_read)
{
	is_the_module(ELEMENTS("\n"));
}

Test(verilators_xml, of_several_elements_in_a_line_is_read)
{
	is_the_module(ELEMENTS(""));
	is_the_module(ELEMENTS("  \t"));
}

/* A line break for each blank between attributes; no value has a blank, and the first line is XML's own. */
Test(verilators_xml, of_an_element_in_several_lines_is_read)
{
	char text[] = ELEMENTS("\n");

	for (char *c = strchr(text, '\n'); *c; c++)
		if (*c == ' ')
			*c = '\n';
	is_the_module(text);
}

/* Names of files may be of any bytes, and stand in the XML as they are. */
Test(verilators_xml, with_a_file_name_that_is_not_utf_8_is_read)
{
	char text[] = ELEMENTS("\n"), *at = strstr(text, "d,1,8,1,11");

	at[0] = (char)0xe9;
	is_the_module(text);
}

static void is_refused(const char *text, const char *why)
{
	struct arena a = {0};
	struct bind_module m;
	struct err e = {""};
	char start[512];

	program_file("bad.xml", text);
	snprintf(start, sizeof start, "%s%s", program_path("bad.xml"), why);
	cr_expect_eq(bind_xml_read(&m, program_path("bad.xml"), &a, &e), -1);
	cr_expect_eq(strncmp(e.text, start, strlen(start)), 0, "\"%s\" instead of \"%s\"", e.text, start);
	arena_free(&a);
}

Test(verilators_xml, that_is_damaged_is_refused_with_its_line)
{
	struct arena a = {0};
	struct bind_module m;
	struct err e = {""};

	is_refused("<verilator_xml>\n<cells>\n</netlist>\n", ":3: ");
	is_refused("<verilator_xml>\n<module name=\"top\" topModule=\"1\">\n", ":3: ");
	is_refused("", ":1: ");
	is_refused("<verilator_xml/>\n", ": Verilator names no top module");
	cr_expect_eq(bind_xml_read(&m, program_path("none.xml"), &a, &e), -1);
	cr_expect_not_null(strstr(e.text, "none.xml: No such file or directory"), "%s", e.text);
}
