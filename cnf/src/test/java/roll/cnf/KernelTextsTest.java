package roll.cnf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Kernel texts contain nothing that only runs on some devices. */
class KernelTextsTest {
  /** Calls that create a tensor or random numbers, by default on the CPU. */
  private static final Pattern FACTORY =
      Pattern.compile(
          "torch\\.(empty|zeros|ones|full|arange|linspace|eye|tensor|scalar_tensor"
              + "|rand|randn|randint|randperm|tril_indices|triu_indices|Generator)\\(");

  /** Folders of texts that Python itself runs, which are not kernels. */
  private static final Pattern PYTHON =
      Pattern.compile("/roll\\.(sandbox|workspace|bridge|reward)\\b");

  private static List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>();
    for (String group : List.of("bundles", "strategies-bundles", "estimators-bundles")) {
      try (Stream<Path> files = Files.walk(HouseTest.ROOT.resolve(group))) {
        files
            .filter(file -> file.toString().endsWith(".py"))
            .filter(file -> file.toString().contains("src/main/resources/"))
            .filter(file -> !PYTHON.matcher(file.toString()).find())
            .forEach(texts::add);
      }
    }
    assertTrue(texts.size() > 20, () -> "found only " + texts);
    return texts;
  }

  @Test
  void everyNewTensorNamesItsDevice() throws IOException {
    List<String> found = new ArrayList<>();
    int factories = 0;
    for (Path text : texts()) {
      int number = 0;
      for (String line : Files.readAllLines(text)) {
        number++;
        Matcher factory = FACTORY.matcher(line.replaceFirst("#.*", ""));
        while (factory.find()) {
          factories++;
          if (!arguments(line, factory.end()).contains("device=")) {
            found.add(HouseTest.ROOT.relativize(text) + ":" + number + ": " + factory.group());
          }
        }
      }
    }
    assertEquals(List.of(), found);
    assertTrue(factories > 20, "found only " + factories);
  }

  /**
   * Allowed synchronizations of kernels with their device, by file, function and kind, with the
   * reason.
   */
  private static final List<String> WAITS =
      List.of(
          "add_rows.py add_rows {_unique=1}", // sampled token ids
          "backward.py backward_pieces {int=3}", // kept positions, depth and seed
          "backward.py forward_pieces {int=3}", // the same
          "decoder.py segment_layout {tolist=1}", // segments of samples, on the host
          "dense_reads.py ends_early {int=1}", // whether enough sequences are finished
          "experts.py experts {tolist=1}", // number of tokens per expert
          "flat.py mapped {int=1, tolist=1}", // files
          "flat.py views {tolist=1}", // positions of parameters
          "generate.py decode {int=2}", // whether enough sequences are finished
          "rank.py deepen {int=1}", // number of the layer
          "rank.py embed_backward {nonzero=1}", // token ids of this rank
          "rank.py half_forward {int=1}", // half of the batch
          "rank.py half_tape {int=1, tolist=1}", // the same, and its trained part
          "ranked_filter.py keep_top_k {int=1}", // number of ranked tokens
          "ranked_filter.py keep_top_p {int=1}", // the same
          "reordered.py reordered {bool=1}", // whether oneDNN is correct, once per weight
          "vision.py features {tolist=2}", // attention windows of patches
          "vision_backward.py backward_tower {int=1, tolist=2}", // kept positions, and the same
          "vision_backward.py forward_tower {int=1, tolist=2}",
          "vision_backward.py one_piece {int=1, tolist=2}", // index of the chunk, and the same
          "vision_backward.py one_piece_backward {int=1}",
          "weights.py not_finite {bool=2}", // whether a tensor is finite
          "weights.py view {int=3, tolist=2}", // files
          "written_flash.py flash {int=1, tolist=2}", // tests
          "written_grouped_product.py grouped_product {tolist=1}"); // tests

  private static final Pattern WAIT =
      Pattern.compile("\\b(int|float|bool)\\(|\\.(item|tolist|nonzero)\\(|torch\\.(_unique)\\(");

  private static final Pattern FUNCTION = Pattern.compile("^def (\\w+)\\(");

  @Test
  void kernelsWaitForTheirDeviceWhereItIsKnown() throws IOException {
    Map<String, Map<String, Integer>> found = new TreeMap<>();
    for (Path text : texts()) {
      String function = "";
      for (String line : Files.readAllLines(text)) {
        Matcher begun = FUNCTION.matcher(line);
        function = begun.find() ? begun.group(1) : function;
        Matcher wait = WAIT.matcher(line.replaceFirst("#.*", ""));
        while (wait.find()) {
          found
              .computeIfAbsent(text.getFileName() + " " + function, place -> new TreeMap<>())
              .merge(wait.group().replaceAll("\\W|torch", ""), 1, Integer::sum);
        }
      }
    }
    assertEquals(
        WAITS,
        found.entrySet().stream().map(place -> place.getKey() + " " + place.getValue()).toList());
  }

  /** Returns the text from {@code from} to the closing parenthesis. */
  private static String arguments(String line, int from) {
    int open = 1;
    int end = from;
    while (open > 0 && end < line.length()) {
      open += line.charAt(end) == '(' ? 1 : line.charAt(end) == ')' ? -1 : 0;
      end++;
    }
    return line.substring(from, end);
  }
}
