package roll.config.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;

class InterpolationTest {
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
        "'v: \"${.name}\"'    | 'f: v: ${.name} is not supported (allowed: a path from the top,"
            + " such as ${actor_train.infer_batch_size})'",
        "'v: \"${now:%Y}\"'   | 'f: v: ${now:%Y} is not supported (allowed: ${key.path},"
            + " ${oc.env:VAR,default})'",
        "'v: \"${oc.env:NONE}\"' | f: v: ${oc.env:NONE} names a variable that is not set and has no"
            + " default",
        "v: ???               | f: v: ??? must be replaced by a value",
      })
  void whatCannotBeResolvedIsRefused(String yaml, String message) {
    String text = yaml.startsWith("{") ? yaml : BASE + yaml;
    UserException refused =
        assertThrows(UserException.class, () -> interpolationOf(text).resolve());
    assertEquals(message, refused.getMessage());
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
        Objects.requireNonNull(Tree.mapping(YamlReader.value("f", yaml))),
        new Origins("f"),
        variables::get);
  }
}
