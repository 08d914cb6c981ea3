package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.strategy.vllm.config.WeightFormat;
import roll.testkit.SmallDecoder;
import roll.torch.CardOperators;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.model.DeviceTexts;

/** The functions that a recorded pass calls on a card read no tensor on the host. */
final class RecordedTextTest {
  private static final Pattern FUNCTION = Pattern.compile("^def (\\w+)\\(");
  private static final Pattern CALL = Pattern.compile("self\\.([a-z]\\w*)\\(");

  /** Reads of the host, copies from it, and results whose size depends on numbers. */
  private static final Pattern WAIT =
      Pattern.compile(
          "\\b(int|float|bool)\\(|\\.(item|tolist|nonzero|unique)\\(|\\.to\\(torch\\.device"
              + "|torch\\.(tensor|_unique|bincount|nonzero|masked_select|repeat_interleave)\\(");

  private static final DecoderSpec DENSE = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of());

  @Test
  void nothingIsReadOnTheHost() {
    assertReadsNothing(DENSE, Set.of("experts")); // compiled too, but never run
    assertReadsNothing(DENSE.of(new Experts(4, 2, true)), Set.of());
  }

  private static void assertReadsNothing(DecoderSpec spec, Set<String> unused) {
    CardOperators operators =
        new CardOperators(source("flash.py"), null, source("grouped_product.py"));
    List<String> sources;
    try (Device device = Device.cpuWithCardTexts(1, operators, null)) {
      Precision bf16 = Precision.of(Dtype.BF16);
      sources = device.call(() -> StepKernels.sources(device, spec, bf16, WeightFormat.PLAIN));
    }
    Map<String, List<String>> functions = functions(sources);
    Set<String> reached = reached(functions, unused);
    assertTrue(
        reached.containsAll(List.of("flash", "keep_top_p", "rotary", "forward_pass")),
        () -> "reached only " + reached);
    List<String> found = new ArrayList<>();
    for (String function : reached) {
      for (String line : functions.get(function)) {
        if (WAIT.matcher(line).find()) {
          found.add(function + ": " + line.strip());
        }
      }
    }
    assertEquals(List.of(), found);
  }

  private static String source(String name) {
    return Kernels.source(DeviceTexts.class, name);
  }

  /** The lines of each function, without comments. */
  private static Map<String, List<String>> functions(List<String> sources) {
    Map<String, List<String>> functions = new HashMap<>();
    List<String> lines = new ArrayList<>();
    for (String line : sources.stream().flatMap(String::lines).toList()) {
      Matcher begun = FUNCTION.matcher(line);
      if (begun.find()) {
        lines = new ArrayList<>();
        functions.put(begun.group(1), lines);
      }
      lines.add(line.replaceFirst("#.*", ""));
    }
    return functions;
  }

  private static Set<String> reached(Map<String, List<String>> functions, Set<String> unused) {
    Set<String> reached = new HashSet<>();
    Queue<String> next = new ArrayDeque<>(List.of("recorded_pass"));
    while (!next.isEmpty()) {
      String function = next.remove();
      if (!unused.contains(function) && reached.add(function)) {
        functions.get(function).stream()
            .flatMap(line -> CALL.matcher(line).results())
            .map((MatchResult call) -> call.group(1))
            .forEach(next::add);
      }
    }
    return reached;
  }
}
