package roll.worker.actor;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import roll.api.data.Batch;
import roll.api.loss.PolicyLoss;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.TaskReply;
import roll.runtime.worker.Worker;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.TestWorkerContext;
import roll.testkit.UnigramModel;

/** A batch, and workers that train on it. */
@NullMarked
final class ActorCases {
  static final Path HERE = Path.of("model");

  private ActorCases() {}

  /** Six samples of 2 to 4 tokens: a prompt of one token, then token 1 or 2; 1 is what is good. */
  static Batch batch() {
    int[] offsets = {0, 2, 5, 9, 11, 14, 18};
    int[] tokens = {0, 1, 0, 2, 1, 0, 1, 1, 2, 0, 2, 0, 1, 2, 0, 2, 2, 1};
    int[] turns = new int[tokens.length];
    double[] advantages = new double[tokens.length];
    for (int t = 0; t < tokens.length; t++) {
      turns[t] = Arrays.binarySearch(offsets, t) >= 0 ? -1 : 0;
      advantages[t] = tokens[t] == 1 ? 1 : -1;
    }
    return Batch.of(offsets, tokens, turns).withColumn(Batch.ADVANTAGES, advantages);
  }

  /** A worker for {@code model} that passes {@code epochs} times over a batch. */
  static Worker train(UnigramModel model, PolicyLoss loss, int epochs) {
    return train(ExampleRunConfigs.small(HERE, epochs), model, loss);
  }

  static Worker train(RunConfig run, UnigramModel model, PolicyLoss loss) {
    var stage =
        new TestWorkerContext(run, run.roles().actorTrain())
            .withTraining(config -> model)
            .withLoss(loss);
    return new ActorTrainWorker().open(stage).join();
  }

  /** The metric {@code name}, which must be there. */
  static double metric(TaskReply<?> result, String name) {
    return Objects.requireNonNull(result.metrics().get(name), name);
  }
}
