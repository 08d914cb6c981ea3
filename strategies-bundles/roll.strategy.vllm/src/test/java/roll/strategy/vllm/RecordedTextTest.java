package roll.strategy.vllm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
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
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.sampling.SampleKernels;
import roll.strategy.vllm.config.WeightFormat;
import roll.testkit.SmallDecoder;
import roll.testkit.WrittenFlash;
import roll.torch.CardOperators;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.model.DeviceTexts;
import roll.torch.model.GenerationWeights;
import roll.torch.model.Parameters;

/** The functions that a recorded pass calls on a card read no tensor on the host. */
final class RecordedTextTest {
  private static final Pattern FUNCTION = Pattern.compile("^def (\\w+)\\(");
  private static final Pattern CALL = Pattern.compile("self\\.([a-z]\\w*)\\(");

  /**
   * Reads of the host, also of deterministic algorithms, copies from it, and results whose size
   * depends on numbers.
   */
  private static final Pattern WAIT =
      Pattern.compile(
          "\\b(int|float|bool)\\(|\\.(item|tolist|nonzero|unique|index_copy_)\\("
              + "|\\.to\\(torch\\.device"
              + "|torch\\.(tensor|_unique|bincount|nonzero|masked_select|repeat_interleave)\\(");

  private static final DecoderSpec DENSE = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of());

  @Test
  void nothingIsReadOnTheHost() {
    assertReadsNothing(DENSE, Set.of("experts")); // compiled too, but never run
    assertReadsNothing(DENSE.of(new Experts(4, 2, true)), Set.of());
  }

  /** Weights of norms are converted by two operations, and no others are. */
  @Test
  void weightsOfNormsAreConvertedAtOnce() {
    DecoderSpec spec = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.QUERY_KEY_NORM));
    Precision bf16 = Precision.of(Dtype.BF16);
    CardOperators operators = new CardOperators(WrittenFlash.source(), null, null);
    Map<String, Object> constants = new HashMap<>(GenerationWeights.constants(spec, bf16));
    constants.putAll(SampleKernels.constants());
    constants.putAll(Map.of("BLOCK", 4, "CACHE", 15, "FEW", 2, "MANY", 0));
    try (Device device = Device.cpuWithCardTexts(1, operators, null)) {
      device.call(
          () -> {
            List<String> sources = StepKernels.sources(device, spec, bf16, WeightFormat.PLAIN);
            try (Parameters parameters = Parameters.random(device, spec, 3);
                Kernels kernels = Kernels.compile(device, constants, sources);
                NDManager manager = device.newManager()) {
              parameters.narrow(device);
              NDList all = kernels.call(manager, "pass_weights", parameters.tensors());
              List<DecoderSpec.Parameter> names = DecoderParameters.of(spec);
              for (int i = 0; i < names.size(); i++) {
                String name = names.get(i).name();
                boolean wide = all.get(i).getDataType() == DataType.FLOAT32;
                assertEquals(name.contains("norm"), wide, name);
                if (wide) { // random norms are ones
                  assertEquals(manager.ones(all.get(i).getShape()), all.get(i), name);
                }
              }
            }
            return true;
          });
    }
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
        boolean pictures = line.contains("places"); // which are not recorded
        if (!pictures && WAIT.matcher(line).find()) {
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
