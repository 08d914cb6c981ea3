package roll.ui.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLinesTest {
  @TempDir Path folder;

  private List<String> read(String text, long from, long to, List<Long> ends) throws Exception {
    Path file = Files.writeString(folder.resolve("lines"), text, StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ends.add(
          FileLines.read(
              channel,
              from,
              to,
              (_, bytes, start, length) -> {
                lines.add(new String(bytes, start, length, StandardCharsets.UTF_8));
                return true;
              }));
    }
    return lines;
  }

  @Test
  void lines_of_any_length_come_whole() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 10; round++) {
      StringBuilder text = new StringBuilder();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String line = "x".repeat(1 + (int) Math.exp(random.nextDouble() * 13)) + "é" + i;
        expected.add(line);
        text.append(line).append(i % 3 == 0 ? "\r\n" : "\n");
      }
      List<Long> ends = new ArrayList<>();
      assertEquals(expected, read(text + "unfinished", 0, Long.MAX_VALUE, ends));
      assertEquals(text.toString().getBytes(StandardCharsets.UTF_8).length, ends.getFirst());
    }
  }

  @Test
  void lines_begin_and_end_within_the_range() throws Exception {
    List<Long> ends = new ArrayList<>();
    assertEquals(List.of("cd", "ef"), read("ab\ncd\n\nef\ngh\n", 3, 11, ends));
    assertEquals(10, ends.getFirst());
  }

  @Test
  void an_endless_line_comes_in_pieces() throws Exception {
    List<Long> ends = new ArrayList<>();
    String text = "a\n" + "x".repeat(9 << 20) + "\nb\n";
    List<String> lines = read(text, 0, Long.MAX_VALUE, ends);
    assertEquals(List.of("a", "b"), List.of(lines.getFirst(), lines.getLast()));
    assertEquals(text.length(), ends.getFirst());
    assertEquals(5, lines.size(), "4, 4 and 1 MB between them");
  }
}
