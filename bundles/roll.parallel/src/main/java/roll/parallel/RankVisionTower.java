package roll.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.VisionSpec;
import roll.api.option.UserException;
import roll.api.strategy.TokenBatch;
import roll.parallel.shard.PipelineStage;
import roll.parallel.shard.RankShards;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MicroBatch;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.DecoderInput;
import roll.torch.model.ModelInput;
import roll.torch.model.RotaryTable;
import roll.torch.vision.PicturePatches;
import roll.torch.vision.TowerInput;
import roll.torch.vision.VisionInput;
import roll.torch.vision.VisionTower;

/**
 * The vision tower of one rank, which computes features of the pictures of its own micro-batches,
 * the same on all tensor-parallel ranks. Its pieces are gathered one after another like layers, and
 * recomputed for the backward pass. A rank without pictures takes part in gathering and reducing.
 * Later pipeline stages have no tower; pictures change positions there. Used on the rank's compute
 * thread.
 */
final class RankVisionTower implements AutoCloseable {
  private final VisionSpec vision;
  private final PicturePatches patches;
  private final List<List<Integer>> pieces;
  private final boolean trained;
  private final boolean learns;
  private final boolean present;
  private final RankShards shards;
  private final VisionTower tower;
  private final NDManager owner;
  private final List<NDArray> numbers;

  /**
   * The vision input of a rank's micro-batch, if any rank has pictures in its own.
   *
   * @param pictures its own pictures, or null
   * @param input the input of its layers with pictures, or null
   * @param inputs input of each piece of the tower, if a backward pass follows; empty without own
   *     pictures
   */
  record TowerPass(@Nullable TowerInput pictures, @Nullable DecoderInput input, NDList inputs) {}

  /**
   * Compiles the vision tower of {@code spec} for a rank.
   *
   * @param trained whether the tower is trained
   * @param counted whether this rank's gradients are counted, which are summed over the
   *     tensor-parallel ranks
   */
  RankVisionTower(
      Device device,
      DecoderSpec spec,
      Precision precision,
      PipelineStage stage,
      RankShards shards,
      PicturePatches patches,
      boolean trained,
      boolean counted) {
    this.vision = Objects.requireNonNull(spec.vision(), "no vision tower");
    this.patches = patches;
    this.pieces = stage.tower();
    this.trained = trained;
    this.learns = trained && counted;
    this.present = stage.embeds();
    this.shards = shards;
    this.tower = new VisionTower(device, vision, precision, Decoder.linear(spec, precision));
    this.owner = device.newManager();
    this.numbers = IntStream.range(0, pieces.size()).mapToObj(Device.host(owner)::create).toList();
  }

  /**
   * Returns the vision tower of {@code spec}.
   *
   * @throws UserException if the model has none
   */
  static RankVisionTower require(@Nullable RankVisionTower tower, DecoderSpec spec) {
    if (tower == null) {
      throw new UserException(
          "a sample shows a picture, but a model of type %s cannot see"
              .formatted(spec.modelType()));
    }
    return tower;
  }

  /**
   * Computes the features of the pictures of {@code part}; called if any rank has pictures in its
   * micro-batch.
   *
   * @param pass of the part; owns the new tensors and receives the vision input
   * @param backward whether a backward pass follows
   * @param kernels of the decoder
   * @param table of the positions of the longest sample
   * @throws UserException if pictures and placeholders do not match, or a picture cannot be read
   */
  void see(
      MicroBatchPass pass,
      TokenBatch batch,
      MicroBatch part,
      boolean backward,
      Kernels kernels,
      RotaryTable table) {
    NDManager scope = pass.owner();
    if (Arrays.stream(part.samples()).allMatch(sample -> batch.pictures(sample).isEmpty())) {
      for (int piece = 0; present && piece < pieces.size(); piece++) {
        var unused = weights(piece);
      }
      pass.see(new TowerPass(null, null, new NDList()));
      return;
    }
    VisionInput seen = VisionInput.of(scope, batch, part, vision, patches);
    NDList inputs = new NDList();
    NDArray features =
        present
            ? features(scope, seen.pictures(), backward && learns ? inputs : null)
            : scope.create(new Shape(0), DataType.FLOAT32);
    DecoderInput input =
        DecoderInput.seeing(scope, kernels, new ModelInput(pass.text(), seen), features, table);
    pass.see(new TowerPass(seen.pictures(), input, inputs));
  }

  /** Returns the features of {@code pictures}; adds the input of each piece to {@code inputs}. */
  private NDArray features(NDManager scope, TowerInput pictures, @Nullable NDList inputs) {
    NDArray x = pictures.patches();
    for (int piece = 0; piece < pieces.size(); piece++) {
      NDArray next = tower.piece(scope, numbers.get(piece), x, pictures, weights(piece));
      if (inputs == null) {
        x.close();
      } else {
        inputs.add(x);
      }
      x = next;
    }
    return x;
  }

  /**
   * Returns the weights of piece {@code piece}; after the last piece the embedding is prefetched.
   */
  private NDList weights(int piece) {
    List<Integer> next = piece + 1 < pieces.size() ? pieces.get(piece + 1) : List.of(0);
    return shards.weights(pieces.get(piece), next);
  }

  /**
   * Adds the gradients of the tower, if it is trained, and reduces them to each rank's share.
   *
   * @param pass with or without pictures; owns intermediate tensors
   * @param byFeatures derivatives of the loss with respect to the features of this rank
   */
  void backward(MicroBatchPass pass, NDArray byFeatures) {
    TowerPass sight = pass.seen();
    if (!trained || sight == null) {
      return;
    }
    TowerInput pictures = learns ? sight.pictures() : null;
    NDArray by = byFeatures;
    for (int piece = pieces.size() - 1; piece >= 0; piece--) {
      NDList weights = shards.weights(pieces.get(piece), List.of());
      NDList gradients = shards.gradients(pieces.get(piece));
      if (pictures != null) {
        NDArray x = sight.inputs().get(piece);
        by =
            tower.pieceBackward(
                pass.owner(), numbers.get(piece), x, by, pictures, weights, gradients);
        x.close();
      }
      shards.reduce(pieces.get(piece));
    }
  }

  @Override
  public void close() {
    tower.close();
    owner.close();
  }
}
