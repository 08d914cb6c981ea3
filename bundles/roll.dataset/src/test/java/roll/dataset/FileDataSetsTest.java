package roll.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.dataset.Row;

/** Files as people write them, and as they break them. */
class FileDataSetsTest {
  private static final Path DATA = Path.of(System.getProperty("roll.root"), "../shared/data");

  private final FileDataSets sets = new FileDataSets();
  @TempDir Path folder;

  @Test
  void linesAreRowsAndKnowTheirPlace() throws IOException {
    Path file = write("a.jsonl", "\uFEFF{\"q\": 1}\r\n\r\n  \n{\"q\": \"a\u2028b\", \"r\": null}");
    List<Row> rows = read(file);
    assertEquals(List.of(1L, 4L), rows.stream().map(Row::line).toList());
    assertEquals(Map.of("q", 1L), rows.get(0).fields());
    assertEquals(Map.of("q", "a\u2028b"), rows.get(1).fields(), "null is left out");
    assertEquals(file + ":4", rows.get(1).where());
  }

  @Test
  void listsKnowTheLineOfEachRow() throws IOException {
    List<Row> rows =
        read(write("a.json", "\uFEFF \n[\n{\"q\": 1,\n\"r\": [true]}, {\"q\": 2}\n,\n\n{}]\n"));
    assertEquals(List.of(3L, 4L, 7L), rows.stream().map(Row::line).toList());
    assertEquals(Map.of("q", 1L, "r", List.of(true)), rows.getFirst().fields());
  }

  @Test
  void aJsonFileMayHoldLines() throws IOException {
    assertEquals(2, read(write("a.json", "{\"q\": 1}\n{\"q\": 2}\n")).size());
  }

  @Test
  void emptyFilesHaveNoRows() throws IOException {
    assertEquals(List.of(), read(write("a.jsonl", "")));
    assertEquals(List.of(), read(write("a.json", "")));
    assertEquals(List.of(), read(write("b.json", "[]")));
  }

  @Test
  void noDigitOfANumberIsLost() throws IOException {
    Row row =
        read(write(
                "a.jsonl",
                "{\"a\":9223372036854775807,\"b\":-9223372036854775809,\"c\":1e3,\"d\":0.1,\"e\":1e400}"))
            .getFirst();
    assertEquals(
        Map.of("a", Long.MAX_VALUE, "b", "-9223372036854775809", "c", 1e3, "d", 0.1, "e", "1e400"),
        row.fields());
  }

  @Test
  void filesFollowOneAnother() throws IOException {
    Path one = write("a.jsonl", "{\"q\": 1}");
    Path two = write("b.json", "[{\"q\": 2}]");
    List<Row> rows = sets.read(List.of(two, one, two));
    assertEquals(List.of(2L, 1L, 2L), rows.stream().map(row -> row.fields().get("q")).toList());
    assertThrows(UnsupportedOperationException.class, rows::removeFirst);
  }

  @Test
  void aFileIsReadAgainOnlyWhenItChanged() throws IOException {
    Path file = write("a.jsonl", "{\"q\": 1}");
    List<Row> first = read(file);
    assertSame(first, read(file));
    Files.writeString(file, "{\"q\": 2}");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    assertNotSame(first, read(file));
    assertEquals(2L, read(file).getFirst().fields().get("q"));
  }

  @Test
  void whatIsWrongIsNamedByFileAndLine() throws IOException {
    refused("a.jsonl", "{\"q\": 1}\n{\"q\": }\n", ":2: not valid JSON near column ");
    refused("a.jsonl", "{\"q\": 1}\n\n{\"q\": 1", ":3: not valid JSON: it ends too early");
    refused("a.jsonl", "{'q': 1}", ":1: not valid JSON near column ");
    refused("a.jsonl", "{\"q\": NaN}", ":1: not valid JSON near column ");
    refused("a.jsonl", "\n[1]", ":2: expected a mapping such as {\"question\": …}, found a list");
    refused("a.jsonl", "5", ":1: expected a mapping such as {\"question\": …}, found a number");
    refused("a.jsonl", "null", ":1: expected a mapping such as {\"question\": …}, found null");
    refused("a.jsonl", "true", ":1: expected a mapping such as {\"question\": …}, found 'true'");
    refused("a.jsonl", "{} {}", ":1: more than one JSON value on the line");
    refused(
        "a.json", "[{},\n\"x\"]", ":2: expected a mapping such as {\"question\": …}, found a text");
    refused("a.json", "[{},\n{\"q\" 1}]", ":2: not valid JSON near column ");
    refused("a.json", "[{}]\n{}", ":2: more follows the list");
    refused("a.json", "[{},\n{\"q\": 1", ":2: not valid JSON: it ends too early");
    refused(
        "a.txt",
        "",
        ": not a data set by its name; expected .json, .jsonl, .ndjson, .csv or .tsv, each also"
            + " with .gz or .zst behind it, .parquet or .arrow");
    Path odd = folder.resolve("odd.jsonl");
    Files.write(odd, "{}\n{\"q\": \"é\"}".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(odd + ":2: not UTF-8 text", complaint(odd));
    assertEquals(
        folder.resolve("nowhere.json") + ": there is no such file",
        complaint(folder.resolve("nowhere.json")));
    assertEquals(
        folder.resolve("od.jsonl") + ": there is no such file; did you mean 'odd.jsonl'?",
        complaint(folder.resolve("od.jsonl")));
    assertEquals(
        "no/where.json: there is no such file here or next to the configuration (data sets are read"
            + " from local files, nothing is downloaded)",
        complaint(Path.of("no/where.json")));
    assertEquals(
        folder.resolve("a.jsonl") + ":1: more than one JSON value on the line",
        complaint(folder),
        "what is wrong in a folder is named by its file");
  }

  @Test
  void aFolderIsTheDataSetThatWasDownloaded() throws IOException {
    write("README.md", "a card");
    write("dataset_infos.json", "{}");
    write(".gitattributes", "");
    Files.createDirectories(folder.resolve(".cache"));
    write(".cache/a.jsonl", "{\"q\": 9}");
    assertEquals(
        folder + ": a folder without a file of parquet, arrow, jsonl, ndjson, json, csv, tsv in it",
        complaint(folder));
    Files.createDirectories(folder.resolve("data"));
    write("data/b.jsonl", "{\"q\": 2}");
    write("data/a.jsonl", "{\"q\": 1}");
    write("data/a.json", "[{\"q\": 1}, {\"q\": 2}]");
    assertEquals(List.of(1L, 2L), values(folder), "one format, in the order of the names");
    write("data/train-00000-of-00002.jsonl", "{\"q\": 3}");
    write("data/train-00001-of-00002.jsonl", "{\"q\": 4}");
    write("data/test-00000-of-00001.jsonl", "{\"q\": 5}");
    assertEquals(List.of(3L, 4L), values(folder), "only what is for training");
  }

  @Test
  void ofSeveralDataSetsInAFolderOneIsToBeNamed() throws IOException {
    for (String part : List.of("en", "all")) {
      Files.createDirectories(folder.resolve(part));
      write(part + "/train.json", "[{\"q\": 1}]");
    }
    assertEquals(
        folder + ": a folder of several data sets; name one of [all, en] in it", complaint(folder));
    assertEquals(List.of(1L), values(folder.resolve("en")));
  }

  private List<@Nullable Object> values(Path file) {
    return read(file).stream().<@Nullable Object>map(row -> row.fields().get("q")).toList();
  }

  @Test
  void deepNestingIsRefused() throws IOException {
    String deep = "{\"q\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}";
    assertTrue(complaint(write("a.jsonl", deep)).contains(":1: not valid JSON"));
  }

  @Test
  void realDataSets() {
    assumeTrue(Files.isDirectory(DATA), "no data sets beside this project");
    List<Row> gsm8k = read(DATA.resolve("gsm8k/train-first1000.jsonl"));
    assertEquals(1_000, gsm8k.size());
    assertEquals(1_000, gsm8k.getLast().line());
    assertTrue(String.valueOf(gsm8k.getFirst().fields().get("answer")).endsWith("#### 72"));
    List<Row> math = read(DATA.resolve("math/deepmath-roll-first200.jsonl"));
    assertEquals(200, math.size());
    assertEquals("1", math.getFirst().fields().get("ground_truth"));
    List<Row> hotpot = read(DATA.resolve("qa/hotpotqa-dev-first200.json"));
    assertEquals(200, hotpot.size());
    assertEquals(List.of(2L, 7L), hotpot.stream().limit(2).map(Row::line).toList());
    List<Row> open = read(DATA.resolve("qa/nq-open-dev-first200.jsonl"));
    assertEquals(
        List.of("14 December 1972 UTC", "December 1972"), open.getFirst().fields().get("answer"));
  }

  private List<Row> read(Path file) {
    return sets.read(List.of(file));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private void refused(String name, String text, String complaint) throws IOException {
    Path file = write(name, text);
    assertTrue(complaint(file).startsWith(file + complaint), complaint(file));
  }

  private String complaint(Path file) {
    return userError(() -> read(file));
  }
}
