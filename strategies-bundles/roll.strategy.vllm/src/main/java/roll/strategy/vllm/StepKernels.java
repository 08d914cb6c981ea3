package roll.strategy.vllm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.sampling.SampleKernels;
import roll.sampling.SamplingNumbers;
import roll.strategy.vllm.config.EngineSettings;
import roll.strategy.vllm.config.WeightFormat;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.model.DeviceTexts;
import roll.torch.model.GenerationWeights;

/**
 * The native functions of engine steps, chosen by device, model and weight format. Used only on the
 * compute thread.
 */
final class StepKernels {
  /** Maximum rows for the product of {@code plain_product.py}; with more rows, linear is faster. */
  private static final int MANY = 64;

  private StepKernels() {}

  /** Compiles the functions of an engine. */
  static Kernels compile(
      Device device, DecoderSpec spec, Precision precision, EngineSettings settings) {
    Map<String, Object> constants = new HashMap<>(GenerationWeights.constants(spec, precision));
    constants.putAll(SampleKernels.constants());
    constants.put("BLOCK", settings.blockSize());
    constants.put("CACHE", Precision.of(settings.cache()).compute());
    constants.put("FEW", precision.dtype() == Dtype.BF16 ? 2 : 6);
    constants.put("MANY", device.accelerated() ? 0 : MANY);
    return Kernels.compile(device, constants, sources(device, spec, precision, settings.weights()));
  }

  /** Returns the sources of all functions. */
  static List<String> sources(
      Device device, DecoderSpec spec, Precision precision, WeightFormat format) {
    List<String> sources =
        new ArrayList<>(
            GenerationWeights.sources(device, spec, precision, source("plain_product.py")));
    List<String> names = new ArrayList<>();
    if (!precision.batchInvariant()) {
      names.addAll(products(format, device.accelerated()));
    }
    if (DeviceTexts.of(device, spec, precision, true).flash()) {
      sources.addAll(SampleKernels.cardSources());
      sources.add(SamplingNumbers.source());
      names.addAll(List.of("flash_reads.py", "recorded_pass.py"));
    } else {
      sources.addAll(SampleKernels.sources());
      names.add("dense_reads.py");
    }
    names.addAll(List.of("pass.py", "step.py"));
    names.forEach(name -> sources.add(source(name)));
    return sources;
  }

  /** Returns the sources of the products of linear layers. */
  private static List<String> products(WeightFormat format, boolean accelerated) {
    String row = WeightFormat.supported(accelerated) ? "row_onednn.py" : "row.py";
    return switch (format) {
      case PLAIN -> List.of(row, "plain.py");
      case REORDERED -> List.of(row, "reordered.py", "reordered_product.py");
      case INT8 -> List.of(row, "reordered.py", "int8.py");
    };
  }

  private static String source(String name) {
    return Kernels.source(StepKernels.class, name);
  }
}
