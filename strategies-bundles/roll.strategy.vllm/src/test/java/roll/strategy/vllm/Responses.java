package roll.strategy.vllm;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.TokenBatch;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/** Responses with their log-probs. Columns have one number for each generated token. */
record Responses(List<GenerationRequest> requests, List<Generation> generations) {
  /** Prompts with their responses, of which these are scored. */
  TokenBatch batch() {
    int[] offsets = new int[requests.size() + 1];
    IntStream tokens = IntStream.empty();
    for (int i = 0; i < requests.size(); i++) {
      int[] prompt = requests.get(i).prompt();
      int[] written = generations.get(i).tokens();
      offsets[i + 1] = offsets[i] + prompt.length + written.length;
      tokens =
          IntStream.concat(tokens, IntStream.concat(Arrays.stream(prompt), Arrays.stream(written)));
    }
    boolean[] scored = new boolean[offsets[requests.size()]];
    for (int i = 0; i < requests.size(); i++) {
      Arrays.fill(scored, offsets[i] + requests.get(i).prompt().length, offsets[i + 1], true);
    }
    return new TokenBatch(offsets, tokens.toArray(), scored);
  }

  /** Log-probs as they were drawn. */
  double[] drawn() {
    return generations.stream().map(Generation::logProbs).flatMapToDouble(Arrays::stream).toArray();
  }

  /** Log-probs as {@code session} scores them. */
  double[] scored(VllmSession session) {
    return written(session.score(batch()).join().logProbs());
  }

  /** Log-probs computed in f32, of {@code weights} rounded to bf16, which are closed. */
  double[] exact(Device device, Parameters weights) {
    return device.call(
        () -> {
          try (weights;
              Decoder decoder =
                  new Decoder(device, weights.spec(), Precision.of(Dtype.FP32), 4096)) {
            weights.train(List.of());
            if (weights.dtype() != Dtype.BF16) {
              weights.narrow(device);
            }
            return written(new Scorer(device, decoder, 4096).score(weights, batch()).logProbs());
          }
        });
  }

  private double[] written(double[] all) {
    boolean[] scored = batch().scored();
    return IntStream.range(0, all.length).filter(t -> scored[t]).mapToDouble(t -> all[t]).toArray();
  }

  /** The root of the mean square of their differences. */
  static double distance(double[] a, double[] b) {
    DoubleStream squares =
        IntStream.range(0, a.length).mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i]));
    return Math.sqrt(squares.average().orElseThrow());
  }
}
