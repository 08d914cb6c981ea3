package roll.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.api.strategy.InferStrategy;
import roll.bench.Inference.Reached;
import roll.bench.llamacpp.LlamaFigure;
import roll.bench.llamacpp.LlamaOutput;
import roll.torch.Device;

/**
 * {@code bench compare}: {@code vllm} beside what llama.cpp's tools printed.
 *
 * @param infer has the strategies and the model
 */
record ComparePart(InferPart infer) {
  private static final String COMPARED = "vllm";

  /**
   * Reads the files, measures in the number formats that they have, and prints both in one table.
   *
   * @param folder that names of files begin in
   * @throws UserException if a file is none of the tools' output, or no number format is ours
   */
  void compare(Device device, BenchArguments call, Path model, Path folder) {
    if (call.worlds().isEmpty()) {
      throw new UserException(
          "bench compare: no file found, output of llama-bench or llama-batched-bench expected");
    }
    List<LlamaOutput> outputs =
        call.worlds().stream().map(word -> LlamaOutput.read(word, folder)).toList();
    List<Dtype> dtypes = dtypes(outputs);
    InferStrategy strategy = infer.strategies().get(COMPARED);
    if (strategy == null) {
      throw new UserException("bench compare: no strategy 'vllm' is registered");
    }
    PrintStream out = infer.out();
    Bench.machine(out);
    MachineLimits limits = MachineLimits.of(device);
    limits.print(out);
    infer.with(
        device,
        call.large(),
        model,
        subject -> {
          out.println("  " + subject);
          List<Reached> reached =
              new Inference(out, limits)
                  .decode(
                      List.of(new Served(COMPARED, strategy)),
                      Map.of(subject, Workload.large(call.quick())),
                      dtypes);
          Map<Dtype, Inference.Rates> rates = new EnumMap<>(Dtype.class);
          reached.forEach(one -> rates.put(one.dtype(), one.rates()));
          new LlamaComparison(out, limits, subject).print(outputs, rates);
        });
  }

  /** Those that {@code outputs} have and that can be measured here. */
  static List<Dtype> dtypes(List<LlamaOutput> outputs) {
    Set<Dtype> dtypes = EnumSet.noneOf(Dtype.class);
    Set<String> others = new LinkedHashSet<>();
    for (LlamaOutput output : outputs) {
      for (LlamaFigure figure : output.figures()) {
        Dtype dtype = figure.format().dtype();
        if (dtype == null) {
          others.add(figure.format().name());
        } else {
          dtypes.add(dtype);
        }
      }
    }
    if (dtypes.isEmpty()) {
      throw new UserException(
          "bench compare: %s: number format %s found, F32 or BF16 expected"
              .formatted(outputs.getLast().file(), String.join(", ", others)));
    }
    return List.copyOf(dtypes);
  }
}
