package roll.ui.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import roll.ui.RunFolderMaker;
import roll.ui.RunMetrics;

class MetricLineTest {
  private final MetricLine line = new MetricLine();

  private boolean read(byte[] bytes) {
    return line.read(bytes, 0, bytes.length, _ -> true);
  }

  private boolean read(String text) {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void names_and_values_come_in_the_order_of_the_file() {
    assertTrue(read("{\"metrics\":{\"b\":1.5,\"ä\":null,\"a\":-2e-3},\"step\":7,\"more\":[{}]}"));
    assertEquals(7, line.step());
    assertEquals(3, line.size());
    assertEquals("b", line.name(0));
    assertEquals("ä", line.name(1));
    assertTrue(Double.isNaN(line.value(1)));
    assertEquals(-0.002, line.value(2));
  }

  @Test
  void only_what_is_wanted_is_read() {
    byte[] bytes = "{\"step\":1,\"metrics\":{\"a\":1,\"b\":2}}".getBytes(StandardCharsets.UTF_8);
    assertTrue(line.read(bytes, 0, bytes.length, "b"::equals));
    assertEquals(1, line.size());
    assertEquals("b", line.name(0));
  }

  @Test
  void what_is_no_line_of_metrics_is_none() {
    for (String text :
        new String[] {
          "",
          "null",
          "[]",
          "{}",
          "{\"step\":1}",
          "{\"step\":1.5,\"metrics\":{}}",
          "{\"step\":\"x\",\"metrics\":{}}",
          "{\"step\":2000000000,\"metrics\":{}}",
          "{\"step\":1,\"metrics\":[]}",
          "{\"step\":1,\"metrics\":{\"a\":1}",
          "{\"step\":1,\"metrics\":{}}{}",
          "{\"step\":1,\"metrics\":{\"a\":" + "[".repeat(100_000)
        }) {
      assertFalse(read(text), text);
    }
  }

  /** Whatever is in it. */
  @Test
  void a_damaged_line_is_refused_or_read_but_nothing_else() {
    Random random = new Random(1);
    byte[] whole = RunFolderMaker.line(3, RunMetrics.of(3)).getBytes(StandardCharsets.UTF_8);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = whole.clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      refused += read(damaged) ? 0 : 1;
    }
    assertTrue(refused > 500 && refused < 5_000, "refused " + refused);
  }
}
