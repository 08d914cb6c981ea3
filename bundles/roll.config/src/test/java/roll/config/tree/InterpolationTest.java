package roll.config.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterpolationTest {
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-03-07T14:05:09.25Z");

  private static final String BASE =
      """
      name: run1
      size: 3
      rate: 1.0e-6
      nothing: ~
      pick: b
      tags: [A, B]
      template:
        a: {deep: "${size}", list: [1, "${name}"]}
        b: text
      """;

  @Test
  void aWholeValueKeepsItsType() {
    assertEquals(3, resolved("v: ${size}"));
    assertEquals(1.0e-6, resolved("v: ${rate}"));
    assertEquals("B", resolved("v: ${tags[1]}"));
    assertEquals("A", resolved("v: ${tags.0}"));
    assertEquals(List.of("A", "B"), resolved("v: ${tags}"));
    assertEquals(Map.of("deep", 3, "list", List.of(1, "run1")), resolved("v: ${template.a}"));
    assertEquals(List.of(3, "x"), resolved("v:\n  - ${size}\n  - x\n"));
  }

  @Test
  void aWholeValueMayStandOnItsOwnLine() {
    assertEquals(
        Map.of("T", Map.of("deep", 3, "list", List.of(1, "run1"))),
        resolved("v:\n  T:\n    ${template.a}\n"));
  }

  @Test
  void insideATextTheValueIsWrittenOut() {
    assertEquals("/data/run1/3", resolved("v: /data/${name}/${size}"));
    assertEquals("run1run1", resolved("v: ${name}${name}"));
    assertEquals("a null b", resolved("v: a ${nothing} b"));
  }

  @Test
  void interpolationsNest() {
    assertEquals("text", resolved("v: ${template.${pick}}"));
    assertEquals(3, resolved("v: ${template.a.deep}"));
    assertEquals(3, resolved("v: ${w.deep}\nw: ${template.a}"));
  }

  @Test
  void aBackslashMakesItPlainText() {
    assertEquals("${name} run1", resolved("v: '\\${name} ${name}'"));
    assertEquals("^(.*)$", resolved("v: ^(.*)$"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "${oc.env:HOST}                | box",
        "at ${oc.env:HOST}             | at box",
        "${oc.env:NONE,fallback}       | fallback",
        "${oc.env:NONE,${name}}        | run1",
        "${oc.env:NONE,a: b}           | a: b",
        "${oc.env:ODD}                 | [x",
      })
  void environmentVariablesAreText(String expression, String value) {
    assertEquals(value, resolved("v: \"" + expression + "\""));
  }

  @Test
  void environmentVariablesAreNumbersWhereYamlSaysSo() {
    assertEquals(7, resolved("v: ${oc.env:SEED}"));
    assertEquals(42, resolved("v: ${oc.env:NONE,42}"));
    assertEquals("seed-7", resolved("v: seed-${oc.env:SEED}"));
  }

  @Test
  void pathsMayBeginAtTheirOwnPlace() {
    assertEquals("run1", resolved("v: ${.name}"));
    assertEquals(
        Map.of("a", 1, "b", 1, "c", Map.of("d", 1, "e", 3)),
        resolved("v: {a: 1, b: '${.a}', c: {d: '${..b}', e: '${...size}'}}"));
    // as in OmegaConf, a copy of a mapping keeps what its own place says
    assertEquals(Map.of("p", 7, "q", 7), resolved("w: {p: 7, q: '${.p}'}\nv: ${w}"));
    assertEquals(List.of(5, 5), resolved("v: [5, '${.0}']"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "${oc.select:size,9}              | 3",
        "${oc.select:sizes,9}             | 9",
        "${oc.select:template.a.deep,9}   | 3",
        "${oc.select:w.deep, 9}           | 3",
        "${oc.select:template.a.no,${size}} | 3",
        "${oc.select:sizes,\"~/a,b\"}     | ~/a,b",
        "at ${oc.select:sizes,null}       | at null",
        "${oc.select:.name,x}             | run1",
      })
  void aKeyThatNeedNotBeThere(String expression, String value) {
    assertEquals(value, String.valueOf(resolved("w: ${template.a}\nv: '" + expression + "'")));
  }

  @Test
  void aDefaultMayBeAnything() {
    assertEquals(null, resolved("v: '${oc.select:sizes}'"));
    assertEquals(Map.of(), resolved("v: '${oc.select:sizes,{}}'"));
    assertEquals(List.of(1, 2), resolved("v: '${oc.select:sizes,[1,2]}'"));
    assertEquals(false, resolved("v: '${oc.select:sizes,False}'"));
  }

  @Test
  void theTimeIsWrittenAsPythonDoes() {
    assertEquals("run1-20260307_140509", resolved("v: ${name}-${now:%Y%m%d_%H%M%S}"));
    assertEquals(
        "26 Mar March 066 Sat Saturday 02 PM 250000 %",
        resolved("v: '${now:%y %b %B %j %a %A %I %p %f %%}'"));
    assertEquals("2026-03-07", resolved("v: ${now:%Y-%m-%d}"));
  }

  @Test
  void referencedVariablesAreKnown() {
    Interpolation interpolation = interpolation("v: ${template.${pick}}");
    interpolation.resolve();
    assertEquals(Set.of("size", "name", "pick", "template"), interpolation.referenced());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "v: ${nme}            | f: v: ${nme} refers to nothing: no 'nme'; did you mean 'name'?",
        "v: ${template.aa}    | f: v: ${template.aa} refers to nothing: no 'aa' in 'template'; did"
            + " you mean 'a'?",
        "v: ${size.x}         | f: v: ${size.x} refers to nothing: no 'x' in 'size'",
        "v: ${tags.2}         | f: v: ${tags.2} refers to nothing: no '2' in 'tags'",
        "v: ${v}              | f: v: ${v} refers to itself (v → v)",
        "'{v: \"${w}\", w: \"${v}\"}' | f: v: ${w} refers to itself (w → v → w)",
        "v: a ${tags}         | f: v: ${tags} is a list and cannot be part of a text",
        "v: a ${template}     | f: v: ${template} is a mapping and cannot be part of a text",
        "v: a ${name          | f: v: ${name has no closing brace",
        "'v: \"${....name}\"' | 'f: v: ${....name} leads out of the configuration: it is 1 deep'",
        "'v: \"${..}\"'       | 'f: v: ${..} names no key'",
        "'v: \"${.nme}\"'     | 'f: v: ${nme} refers to nothing: no ''nme''; did you mean"
            + " ''name''?'",
        "'v: \"${now:%Q}\"'   | 'f: v: ${now:%Q} has the directive ''%Q'', which is not known"
            + " (allowed: %Y %m %d %H %M %S %y %b %B %j %a %A %I %p %f %%)'",
        "'v: \"${x:1}\"'      | 'f: v: ${x:1} is not supported (allowed: ${key.path}, ${.key},"
            + " ${oc.select:key.path,default}, ${oc.env:VAR,default}, ${now:%Y-%m-%d})'",
        "'v: \"${oc.env:NONE}\"' | f: v: ${oc.env:NONE} names a variable that is not set and has no"
            + " default",
        "v: ???               | f: v: ??? must be replaced by a value",
      })
  void whatCannotBeResolvedIsRefused(String yaml, String message) {
    String text = yaml.startsWith("{") ? yaml : BASE + yaml;
    assertEquals(message, userError(() -> interpolationOf(text).resolve()));
  }

  private static @Nullable Object resolved(String yaml) {
    return interpolation(yaml).resolve().get("v");
  }

  private static Interpolation interpolation(String yaml) {
    return interpolationOf(BASE + yaml);
  }

  private static Interpolation interpolationOf(String yaml) {
    Map<String, String> variables = Map.of("HOST", "box", "SEED", "7", "ODD", "[x");
    return new Interpolation(
        Objects.requireNonNull(YamlTree.mapping(YamlReader.value("f", yaml))),
        new KeyOrigins("f"),
        new Resolvers(variables::get, NOW));
  }
}
