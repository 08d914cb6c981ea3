package roll.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.runtime.pipeline.Rollouts;
import roll.torch.model.Models;

/**
 * The subcommand {@code bench rollout}.
 *
 * @param rollouts plays the episodes
 * @param strategy generates the responses
 */
record RolloutSubcommand(
    BundleContext context,
    Models models,
    Rollouts rollouts,
    TokenizerLoader tokenizers,
    InferStrategy strategy) {
  /**
   * Measures whole rollouts in trajectories/s.
   *
   * <p>Registering an environment makes SCR replace the command and release its services; so they
   * are held here.
   */
  void run(PrintStream out, BenchArguments call, Path model) {
    List<ServiceReference<?>> held = new ArrayList<>();
    try {
      for (Class<?> type :
          List.of(Rollouts.class, TokenizerLoader.class, InferStrategy.class, Models.class)) {
        for (ServiceReference<?> reference : context.getServiceReferences(type, null)) {
          if (context.getService(reference) != null) {
            held.add(reference);
          }
        }
      }
      roll(out, call, model);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException("no filter is no wrong filter", e);
    } finally {
      held.forEach(context::ungetService);
    }
  }

  private void roll(PrintStream out, BenchArguments call, Path model) throws InterruptedException {
    DecoderSpec spec = models.folder(model).spec();
    try (Tokenizer tokenizer = tokenizers.load(model)) {
      RolloutBench rolling =
          new RolloutBench(out, context, rollouts, tokenizer, call.quick(), call.further());
      rolling.fixed();
      BenchModel subject = new BenchModel(InferSubcommand.TINY, model, spec, 1, 1, 1, 1);
      BenchStrategy served = new BenchStrategy(InferSubcommand.STANDARD, strategy);
      try (InferSession policy = served.open(subject, Dtype.FP32, 256, 385)) {
        rolling.real(String.valueOf(model.getFileName()), policy);
      }
    }
  }
}
