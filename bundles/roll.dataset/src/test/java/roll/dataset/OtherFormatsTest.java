package roll.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/**
 * Tables of text, compressed texts, Arrow and Brotli. The files among the resources were written by
 * pyarrow 25.0.1: {@code values.arrow} as a stream of two batches, {@code file.arrow} as a file.
 */
class OtherFormatsTest {
  private final FileDataSets sets = new FileDataSets();
  @TempDir Path folder;

  @Test
  void valuesWithCommasHaveQuotes() throws IOException {
    List<Row> rows =
        read(
            write(
                "a.csv",
                "\uFEFFquestion,answer,n\r\n"
                    + "\"1,\r\n"
                    + "\"\"2\"\"\",x,\r\n\r\n"
                    + "plain \"q\",\"\",7\r\n"
                    + "last,y,8"));
    assertEquals(
        List.of(
            Map.of("question", "1,\r\n\"2\"", "answer", "x"),
            Map.of("question", "plain \"q\"", "n", "7"),
            Map.of("question", "last", "answer", "y", "n", "8")),
        rows.stream().map(Row::fields).toList());
    assertEquals(List.of(2L, 5L, 6L), rows.stream().map(Row::line).toList());
    assertEquals(
        List.of(Map.of("a", "1,2", "b", "3")),
        read(write("a.tsv", "a\tb\n1,2\t3\n")).stream().map(Row::fields).toList());
    assertEquals(List.of(), read(write("empty.csv", "")));
  }

  @Test
  void aBrokenTableIsNamedByItsLine() throws IOException {
    refused("a.csv", "a,b\n1,2\n3\n", ":3: 1 values under 2 names (a, b)");
    refused("a.csv", "a,b\n1,\"2\n3\n", ":2: a quote without its end");
    refused("a.csv", "a,a\n1,2\n", ":1: a name stands twice: a, a");
  }

  @Test
  void textsMayBeCompressed() throws IOException {
    for (String name : List.of("a.jsonl.gz", "b.json.gz", "c.ndjson.GZ")) {
      Path file = folder.resolve(name);
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write("{\"q\": 1}\n{\"q\": 2}\n".getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(2L, read(file).getLast().fields().get("q"));
      assertEquals(2, read(file).getLast().line());
    }
    refused("a.jsonl.gz", "{\"q\": 1}", ": cannot be read (Not in GZIP format)");
    refused(
        "a.parquet.gz",
        "",
        ": not a data set by its name; expected .json, .jsonl, .ndjson, .csv or .tsv, each also"
            + " with .gz or .zst behind it, .parquet or .arrow");
  }

  @Test
  void arrowsValuesAreThoseOfRows() throws IOException {
    Map<String, Object> first = new LinkedHashMap<>();
    first.put("question", "2+2?");
    first.put("n", 1L);
    first.put("u", 255L);
    first.put("big", "9223372036854775808");
    first.put("x", 0.5);
    first.put("h", 0.5);
    first.put("ok", true);
    first.put("large", "a");
    first.put(
        "messages", List.of(Map.of("role", "user", "content", "a"), Map.of("role", "assistant")));
    first.put("image", Map.of("bytes", "iVBOR/8=", "path", "a.png"));
    first.put("map", Map.of("k", 1L));
    first.put("pair", List.of(1L, 2L));
    first.put("day", 0L);
    first.put("when", 0L);
    for (String name : List.of("values.arrow", "file.arrow")) {
      List<Row> rows = read(resource(name));
      assertEquals(first, rows.getFirst().fields());
      assertEquals(
          Map.of(
              "n",
              -2L,
              "u",
              0L,
              "big",
              1L,
              "h",
              1.0,
              "ok",
              false,
              "large",
              "b",
              "messages",
              List.of(),
              "map",
              Map.of(),
              "pair",
              List.of(3L, 4L)),
          without(rows.get(1), "day", "when"));
      assertEquals(
          Map.of(
              "question",
              "q3",
              "u",
              1L,
              "big",
              2L,
              "x",
              -1.25,
              "h",
              2.0,
              "large",
              "c",
              "pair",
              List.of(5L, 6L)),
          without(rows.get(2), "day", "when"));
      assertEquals(List.of(1L, 2L, 3L), rows.stream().map(Row::line).toList());
    }
  }

  private static Map<String, Object> without(Row row, String... names) {
    Map<String, Object> fields = new LinkedHashMap<>(row.fields());
    List.of(names).forEach(fields::remove);
    return fields;
  }

  /** The folder layout of {@code save_to_disk}. */
  @Test
  void aSavedFolderIsItsTraining() throws IOException {
    Path train = Files.createDirectories(folder.resolve("set/train"));
    Path test = Files.createDirectories(folder.resolve("set/test"));
    write("set/dataset_dict.json", "{\"splits\": [\"train\", \"test\"]}");
    for (Path split : List.of(train, test)) {
      Files.writeString(split.resolve("state.json"), "{}");
      Files.writeString(split.resolve("dataset_info.json"), "{}");
      Files.copy(resource("values.arrow"), split.resolve("data-00000-of-00001.arrow"));
    }
    assertEquals(3, read(folder.resolve("set")).size());
    assertEquals(3, read(test).size());
  }

  @Test
  void whatOfArrowIsNotReadIsSaid() throws IOException {
    Path dictionary = resource("dictionary.arrow");
    assertEquals(
        dictionary
            + ": cannot be read as Arrow: column 'c' is encoded by a dictionary, which is not read",
        complaint(dictionary));
    refused("a.arrow", "", ": cannot be read as Arrow: it has no schema");
    byte[] whole = Files.readAllBytes(resource("values.arrow"));
    for (int length = 1; length < whole.length; length += 97) {
      Path cut = folder.resolve("cut.arrow");
      Files.write(cut, Arrays.copyOf(whole, length));
      try {
        assertEquals(0, read(cut).size() % 2, "whole batches alone");
      } catch (UserException e) {
        assertEquals(0, e.getMessage().indexOf(cut + ": cannot be read as Arrow: "));
      }
    }
  }

  @Test
  void brotliIsRead() throws IOException {
    List<Row> rows = read(resource("brotli.parquet"));
    assertEquals(50, rows.size());
    assertEquals(Map.of("question", "2+2?", "answer", "4"), rows.getLast().fields());
  }

  private List<Row> read(Path file) {
    return sets.read(List.of(file));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path resource(String name) throws IOException {
    Path file = folder.resolve(name);
    try (InputStream in =
        Objects.requireNonNull(OtherFormatsTest.class.getResourceAsStream(name), name)) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  private String complaint(Path file) {
    return userError(() -> read(file));
  }

  private void refused(String name, String text, String message) throws IOException {
    Path file = write(name, text);
    assertEquals(file + message, complaint(file));
  }
}
