package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;
import roll.config.tree.YamlReader;
import roll.config.tree.YamlTree;

class YamlReaderTest {
  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "1.0e-6, 1.0e-6",
    "1e-6, 1.0e-6",
    "5E5, 500000.0",
    "-.5, -0.5",
  })
  void exponentsAreNumbers(String text, double number) {
    assertEquals(number, YamlReader.value("x", text));
  }

  @Test
  void scalarsHaveTheTypesOfYaml() {
    assertEquals(3, YamlReader.value("x", "3"));
    assertEquals(3_000_000_000L, YamlReader.value("x", "3000000000"));
    assertEquals(true, YamlReader.value("x", "true"));
    assertEquals("true", YamlReader.value("x", "'true'"));
    assertEquals("2026-01-01", YamlReader.value("x", "2026-01-01"));
    assertNull(YamlReader.value("x", "~"));
    assertNull(YamlReader.value("x", "null"));
    assertNull(YamlReader.value("x", ""));
  }

  @Test
  void keysBecomeTextAndKnowTheirLine() {
    Path file = write("a:\n  0: W\n  b: [1, {c: 2}]\n");
    YamlReader.Document document = YamlReader.read(file);
    Map<String, @Nullable Object> root = Objects.requireNonNull(YamlTree.mapping(document.root()));

    assertEquals(Map.of("0", "W", "b", List.of(1, Map.of("c", 2))), root.get("a"));
    assertEquals(file + ":2", document.origins().of("a.0"));
    assertEquals(file + ":3", document.origins().of("a.b.1.c"));
    assertEquals(file + ":1", document.origins().of("a.unknown"));
    assertEquals(file.toString(), document.origins().of("unknown"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"a: 1\nb: 2\na: 3\n\" | f.yaml:3:1: found duplicate key a",
        "\"a: {0: 1, '0': 2}\" | f.yaml: a: found duplicate key 0",
        "\"a: [1, 2\nb: 3\n\" | f.yaml:2:2: expected ',' or ']', but got :",
        "\"a: b: c\" | f.yaml:1:5: mapping values are not allowed here",
        "\"\ta: 1\" | \"f.yaml:1:1: found character '\\t(TAB)' that cannot start any token. (Do not"
            + " use \\t(TAB) for indentation)\"",
        "\"a: !!java.net.URL [x]\" | \"f.yaml:1:4: Global tag is not allowed:"
            + " tag:yaml.org,2002:java.net.URL\"",
        "\"a: !!binary aGk=\" | f.yaml: a: a value of this YAML type is not allowed here",
        "\"a: &x [*x]\" | f.yaml: a: an alias contains itself",
        "\"a: 1\n---\nb: 2\" | f.yaml:2:1: but found another document",
      })
  void whatIsNotStrictYamlIsRefused(String text, String message) {
    UserException refused = assertThrows(UserException.class, () -> YamlReader.read(write(text)));
    assertEquals(message, shown(refused));
  }

  @Test
  void filesThatCannotBeReadAreRefused() throws IOException {
    Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', (byte) 0xe9});
    assertEquals("latin.yaml: not UTF-8 text", refusal(latin));
    assertEquals("none.yaml: no such file", refusal(folder.resolve("none.yaml")));
    assertEquals(
        "lati.yaml: no such file; did you mean 'latin.yaml'?",
        refusal(folder.resolve("lati.yaml")));
    Path directory = Files.createDirectory(folder.resolve("d"));
    assertEquals("d: is a folder, expected a YAML file", refusal(directory));
    Files.createFile(directory.resolve("config.yaml"));
    assertEquals("d: is a folder, expected a YAML file: write d/config.yaml", refusal(directory));
  }

  private String refusal(Path file) {
    return shown(assertThrows(UserException.class, () -> YamlReader.read(file)));
  }

  private String shown(UserException refused) {
    return String.valueOf(refused.getMessage()).replace(folder + "/", "");
  }

  private Path write(String text) {
    return new ConfigFiles(folder).write("f.yaml", text);
  }
}
