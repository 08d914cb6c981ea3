package roll.bench;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;

/** Tokens a second of an inference strategy. */
final class Decoding {
  private static final int PROMPT = 64;

  private final InferStrategy strategy;
  private final Subject subject;
  private final int tokens;

  /** Decodes {@code tokens} tokens after a prompt of 64. */
  Decoding(InferStrategy strategy, Subject subject, int tokens) {
    this.strategy = strategy;
    this.subject = subject;
    this.tokens = tokens;
  }

  InferSession open(Dtype dtype, int largest) {
    TrainingConfig unused = new TrainingConfig(0, 0, 0.9, 0.999, 1, 1, "constant", 0, 1);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            ModelConfig.of(subject.folder(), dtype),
            "native",
            "hf_infer",
            Map.of(),
            unused,
            List.of(),
            largest);
    return strategy.open(new SessionConfig(worker, 1, 1, PROMPT + tokens + 1));
  }

  /**
   * Tokens a second with {@code batch} sequences at once, the prompts not counted: what a response
   * takes beyond one of a single token, the better of two.
   */
  double rate(InferSession session, int batch) {
    seconds(session, batch, tokens + 1);
    double first = Double.POSITIVE_INFINITY;
    double all = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 2; i++) {
      first = Math.min(first, seconds(session, batch, 1));
      all = Math.min(all, seconds(session, batch, tokens + 1));
    }
    return batch * (double) tokens / (all - first);
  }

  private double seconds(InferSession session, int batch, int most) {
    List<GenerationRequest> requests = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      int[] prompt =
          RandomStreams.of(1, "bench prompt", i)
              .ints(PROMPT, 0, subject.spec().vocabulary())
              .toArray();
      requests.add(new GenerationRequest(prompt, Sampling.of(most), List.of(), i));
    }
    long start = System.nanoTime();
    session.generate(requests).join();
    return (System.nanoTime() - start) * 1e-9;
  }

  /** Makes {@code folder} a model folder: {@code config}, and the tokenizer of {@code like}. */
  static Path folder(Path folder, Map<String, @Nullable Object> config, Path like)
      throws IOException {
    Files.writeString(folder.resolve("config.json"), new Gson().toJson(config));
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      if (Files.exists(like.resolve(file))) {
        Files.copy(like.resolve(file), folder.resolve(file));
      }
    }
    return folder;
  }

  /** Deletes {@code folder}, which holds files alone. */
  static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
