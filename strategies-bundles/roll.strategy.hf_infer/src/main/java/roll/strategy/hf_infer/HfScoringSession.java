package roll.strategy.hf_infer;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;
import roll.api.model.TokenizerLoader;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.huggingface.ModelFolder;
import roll.sampling.RequestValidator;
import roll.torch.Device;
import roll.torch.MemoryLedger;
import roll.torch.model.InferenceWeights;
import roll.torch.model.Models;

/** A reward model on one device: read-only weights, no cache, no optimizer. */
final class HfScoringSession implements ScoringSession {
  private final Device device;
  private final List<Integer> devices;
  private final RequestValidator requests;
  private final InferenceWeights weights;
  private final MemoryLedger ledger = new MemoryLedger();

  /** Reads the weights of {@code folder}, a value model. Only on the compute thread. */
  HfScoringSession(
      Models models,
      TokenizerLoader tokenizers,
      Device device,
      ModelFolder folder,
      SessionConfig config) {
    this.device = device;
    this.devices = config.worker().devices();
    this.requests = new RequestValidator(folder, tokenizers);
    this.weights = new InferenceWeights(models, device, folder, config);
    ledger.add(MemoryKind.PARAMETERS, weights.ownBytes());
  }

  @Override
  public CompletableFuture<double[]> score(List<int[]> sequences) {
    TokenBatch batch = batch(sequences);
    return device.submit(
        () -> {
          requests.check(batch);
          return weights.ends(batch);
        });
  }

  /** Returns the sequences as samples, each with its last token marked as scored. */
  private static TokenBatch batch(List<int[]> sequences) {
    int[] offsets = new int[sequences.size() + 1];
    for (int i = 0; i < sequences.size(); i++) {
      if (sequences.get(i).length == 0) {
        throw new IllegalArgumentException("sequence " + i + " has no tokens");
      }
      offsets[i + 1] = offsets[i] + sequences.get(i).length;
    }
    int[] tokens = sequences.stream().flatMapToInt(Arrays::stream).toArray();
    boolean[] ends = new boolean[tokens.length];
    Arrays.stream(offsets).skip(1).forEach(end -> ends[end - 1] = true);
    return new TokenBatch(offsets, tokens, ends);
  }

  @Override
  public List<SessionMemory> peakMemory() {
    return device.observed(SessionMemory.spread(devices, ledger.peak(0).bytes()));
  }

  /** Frees the weights after all submitted work. */
  @Override
  public void close() {
    device.call(
        () -> {
          weights.close();
          requests.close();
          return true;
        });
  }
}
