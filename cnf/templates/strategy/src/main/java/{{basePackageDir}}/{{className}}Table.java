package {{basePackageName}};

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import roll.api.option.UserException;
import roll.api.data.RandomStreams;
import roll.api.memory.SessionMemory;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Gradients;
import roll.api.strategy.InferSession;
import roll.api.strategy.LossFunction;
import roll.api.strategy.Scores;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.WeightsHandle;

/**
 * A model that is one table: the logits of the next token by the token before, trained by plain
 * gradient descent. Calls compute at once, so their futures are there when they return.
 */
final class {{className}}Table implements TrainSession, InferSession {
  private static final Pattern VOCABULARY = Pattern.compile("\"vocab_size\"\\s*:\\s*(\\d+)");
  private static final String FILE = "table.txt";

  private final double learningRate;
  private final double maxGradNorm;
  private volatile Table table;

  /** Weights never change: an update makes new ones, and who has the old ones keeps them. */
  private record Table(long version, double[][] logits) implements WeightsHandle {
    /** Returns the log-probs of the vocabulary after {@code before}. */
    double[] logProbs(int before) {
      double[] row = logits[before];
      double most = Arrays.stream(row).max().orElseThrow();
      double sum = Arrays.stream(row).map(logit -> Math.exp(logit - most)).sum();
      return Arrays.stream(row).map(logit -> logit - most - Math.log(sum)).toArray();
    }
  }

  /** Creates a table with equal probabilities. */
  {{className}}Table(int vocabulary, double learningRate, double maxGradNorm) {
    this.learningRate = learningRate;
    this.maxGradNorm = maxGradNorm;
    this.table = new Table(0, new double[vocabulary][vocabulary]);
  }

  /** Returns the vocabulary size of the model in {@code folder}. */
  static int vocabulary(Path folder) {
    try {
      Matcher found = VOCABULARY.matcher(Files.readString(folder.resolve("config.json")));
      if (found.find()) {
        return Integer.parseInt(found.group(1));
      }
      throw new UserException(folder.resolve("config.json") + " has no vocab_size");
    } catch (IOException e) {
      throw new UserException("cannot read " + folder.resolve("config.json") + ": " + e, e);
    }
  }

  @Override
  public CompletableFuture<Scores> score(TokenBatch batch) {
    return CompletableFuture.completedFuture(score(table, batch));
  }

  private static Scores score(Table table, TokenBatch batch) {
    double[] logProbs = new double[batch.tokens().length];
    double[] entropies = new double[logProbs.length];
    for (int t = 0; t < logProbs.length; t++) {
      if (batch.scored()[t]) {
        double[] all = table.logProbs(batch.tokens()[t - 1]);
        logProbs[t] = all[batch.tokens()[t]];
        entropies[t] = entropy(all);
      }
    }
    return new Scores(logProbs, entropies);
  }

  private static double entropy(double[] logProbs) {
    return -Arrays.stream(logProbs).map(l -> l * Math.exp(l)).sum();
  }

  @Override
  public CompletableFuture<Scores> scoreBase(TokenBatch batch) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException("no adapters"));
  }

  /** The loss says how it changes with each log-prob and entropy; the rest is the chain rule. */
  @Override
  public CompletableFuture<UpdateReport> update(TokenBatch batch, LossFunction loss) {
    Table old = table;
    long start = System.nanoTime();
    int[] samples = IntStream.range(0, batch.samples()).toArray();
    Gradients by = loss.evaluate(samples, score(old, batch));
    double seconds = (System.nanoTime() - start) / 1e9;
    double[][] slope = new double[old.logits().length][old.logits().length];
    for (int t = 0; t < batch.tokens().length; t++) {
      if (batch.scored()[t]) {
        double[] all = old.logProbs(batch.tokens()[t - 1]);
        double[] row = slope[batch.tokens()[t - 1]];
        double entropy = entropy(all);
        for (int v = 0; v < row.length; v++) {
          double p = Math.exp(all[v]);
          row[v] += by.logProbs()[t] * ((v == batch.tokens()[t] ? 1 : 0) - p);
          row[v] -= by.entropies()[t] * p * (all[v] + entropy);
        }
      }
    }
    double norm = Math.sqrt(Arrays.stream(slope).flatMapToDouble(Arrays::stream).map(s -> s * s).sum());
    boolean finite = Double.isFinite(norm);
    if (finite) {
      double rate = learningRate * Math.min(1, maxGradNorm / Math.max(norm, 1e-12));
      double[][] logits = new double[slope.length][slope.length];
      for (int before = 0; before < slope.length; before++) {
        for (int v = 0; v < slope.length; v++) {
          logits[before][v] = old.logits()[before][v] - rate * slope[before][v];
        }
      }
      table = new Table(old.version() + 1, logits);
    }
    return CompletableFuture.completedFuture(
        new UpdateReport(norm, learningRate, !finite, seconds));
  }

  @Override
  public WeightsHandle weights() {
    return table;
  }

  @Override
  public CompletableFuture<Void> update(WeightsHandle weights) {
    table = (Table) weights;
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
    return CompletableFuture.completedFuture(requests.stream().map(this::respond).toList());
  }

  /** Samples with a random stream that depends on the request's seed alone. */
  private Generation respond(GenerationRequest request) {
    Table now = table;
    double temperature = request.sampling().temperature();
    RandomGenerator random = RandomStreams.of(request.seed(), "{{projectName}}");
    List<Integer> drawn = new ArrayList<>();
    List<Double> logProbs = new ArrayList<>();
    List<Double> sampled = new ArrayList<>();
    int before = request.prompt()[request.prompt().length - 1];
    boolean stopped = false;
    while (!stopped && drawn.size() < request.sampling().maxNewTokens()) {
      double[] all = now.logProbs(before);
      double[] heated = heat(all, temperature);
      before = draw(heated, random);
      drawn.add(before);
      logProbs.add(all[before]);
      sampled.add(Math.log(heated[before]));
      stopped = request.stopTokens().contains(before);
    }
    return new Generation(
        drawn.stream().mapToInt(Integer::intValue).toArray(),
        logProbs.stream().mapToDouble(Double::doubleValue).toArray(),
        sampled.stream().mapToDouble(Double::doubleValue).toArray(),
        stopped,
        now.version());
  }

  /** Returns the probabilities at a temperature; at 0 the most likely token has 1. */
  private static double[] heat(double[] logProbs, double temperature) {
    double most = Arrays.stream(logProbs).max().orElseThrow();
    double[] weights = new double[logProbs.length];
    if (temperature == 0) {
      weights[IntStream.range(0, weights.length).filter(v -> logProbs[v] == most).findFirst().orElseThrow()] = 1;
      return weights;
    }
    Arrays.setAll(weights, v -> Math.exp((logProbs[v] - most) / temperature));
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / sum).toArray();
  }

  private static int draw(double[] probabilities, RandomGenerator random) {
    double rest = random.nextDouble();
    int token = 0;
    while (token < probabilities.length - 1 && rest >= probabilities[token]) {
      rest -= probabilities[token++];
    }
    return token;
  }

  /** Reads the version from the first line, and a row of the table from each other line. */
  @Override
  public CompletableFuture<Void> save(Path folder) {
    Table now = table;
    List<String> lines = new ArrayList<>(List.of(Long.toString(now.version())));
    for (double[] row : now.logits()) {
      lines.add(String.join(" ", Arrays.stream(row).mapToObj(Double::toString).toList()));
    }
    try {
      Files.createDirectories(folder);
      Files.write(folder.resolve(FILE), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> restore(Path folder) {
    try {
      List<String> lines = Files.readAllLines(folder.resolve(FILE));
      double[][] logits =
          lines.stream()
              .skip(1)
              .map(row -> Arrays.stream(row.split(" ")).mapToDouble(Double::parseDouble).toArray())
              .toArray(double[][]::new);
      table = new Table(Long.parseLong(lines.getFirst()), logits);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(
          new UserException(folder + " has no " + FILE + " to continue from", e));
    }
    return CompletableFuture.completedFuture(null);
  }

  /** Returns an empty list, since the table needs hardly any memory. */
  @Override
  public List<SessionMemory> peakMemory() {
    return List.of();
  }

  /** Does nothing, since all memory is garbage-collected. */
  @Override
  public void close() {}
}
