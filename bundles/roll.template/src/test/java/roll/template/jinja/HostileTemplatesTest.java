package roll.template.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.template.jinja.value.TemplateException;

/** Templates that would run for ever or fill all memory end with one line. */
@Tag("hostile")
class HostileTemplatesTest {
  private static final String LOOP = "{% for i in range(100000) %}";
  private static final String END = "{% endfor %}";

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '@',
      quoteCharacter = '"',
      value = {
        "{% for i in range(1000000000) %}x{% endfor %}          @ Range too big",
        "LOOP LOOP x END END                                    @ steps",
        "LOOP LOOP END END                                      @ steps",
        "LOOP LOOP {% break %} END END                          @ steps",
        "LOOP {% for j in range(100000) if false %} END END     @ steps",
        "{{ 'x' * 1000000000 }}                                 @ longer than 10000000",
        "{{ [1] * 1000000000 }}                                 @ longer than 10000000",
        "{{ 'x'.center(1000000000) }}                           @ longer than 10000000",
        "{{ 'x'.ljust(1000000000) }}                            @ longer than 10000000",
        "{{ 'x'.zfill(1000000000) }}                            @ longer than 10000000",
        "{{ 'x' | center(1000000000) }}                         @ longer than 10000000",
        "{{ '%1000000000d' % 1 }}                               @ longer than 10000000",
        "{{ 'x' | indent(1000000000) }}                         @ longer than 10000000",
        "{{ messages | tojson(indent=1000000000) }}             @ longer than 10000000",
        "{% set n = namespace(x='x') %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor"
            + " %} @ longer than 10000000",
        "{% set n = namespace(x='x') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor"
            + " %} @ longer than 10000000",
        "{% set n = namespace(x=[1]) %}{% for i in range(60) %}{% set n.x = n.x + n.x %}{% endfor"
            + " %} @ longer than 10000000",
        "{% set n = namespace(x='x' * 9999999) %}LOOP {% set y = n.x + 'y' %} END @ steps",
        "{% set x = 'x' * 1000000 %}LOOP {{ x }} END            @ longer than 10000000",
        "{% macro f(n) %}{{ f(n) }}{% endmacro %}{{ f(1) }}     @ too deeply",
      })
  void endsWithOneLine(String template, String why) {
    Template parsed = Template.parse(template.replace("LOOP ", LOOP).replace("END", END));
    Map<String, Object> context = Map.of("messages", List.of(Map.of("role", "user")));
    TemplateException failure =
        assertThrows(TemplateException.class, () -> parsed.render(context, Clock.systemUTC()));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(why) && message.length() < 300, message);
  }

  @ParameterizedTest
  @CsvSource({"(, ), 20000", "[, ], 20000", "{% if 1 %}, {% endif %}, 20000"})
  void deepNestingEndsWithOneLine(String open, String close, int depth) {
    String inner = open.repeat(depth) + "1" + close.repeat(depth);
    String template = open.startsWith("{%") ? inner : "{{ " + inner + " }}";
    TemplateException failure =
        assertThrows(TemplateException.class, () -> Template.parse(template));
    assertTrue(String.valueOf(failure.getMessage()).contains("nested too deeply"));
  }

  /** Texts that once took time with the square of their length. */
  @Test
  void numbersAreReadInOneGo() {
    Template parsed = Template.parse("{{ x | float(3) }} {{ y | float(3) }}");
    Map<String, Object> context =
        Map.of("x", "1".repeat(1_000_000) + "x", "y", "1_000." + "0".repeat(1_000_000) + "_5e1");
    assertTimeout(
        Duration.ofSeconds(60),
        () -> assertEquals("3 10000.0", parsed.render(context, Clock.systemUTC())));
  }
}
