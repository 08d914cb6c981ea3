package roll.torch.vision;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.model.VisionSpec;
import roll.torch.Device;
import roll.torch.HostTransfer;

/**
 * The input of a vision tower's kernels.
 *
 * @param patches f32 [P, n], made by the image processor
 * @param squares int64 [squares], the order of computation
 * @param back int64 [M], index in this order of each wanted feature's square
 * @param windows int64, runs of patches as counts and lengths; on the host, which reads them
 * @param wholes the same for whole pictures
 * @param cos f32 [P, 1, head size / 2]
 * @param sin f32 [P, 1, head size / 2]
 * @param corners int64 [4, P], see {@link LearnedPositions}; empty for towers without them
 * @param shares f32 [4, P, 1]
 */
public record TowerInput(
    NDArray patches,
    NDArray squares,
    NDArray back,
    NDArray windows,
    NDArray wholes,
    NDArray cos,
    NDArray sin,
    NDArray corners,
    NDArray shares) {
  /**
   * Returns the tensors of {@code pictures} for the vision tower.
   *
   * @param owner owns the tensors
   * @param wanted numbers of the wanted features, in their order, repetitions allowed; features are
   *     numbered by square over the concatenated pictures
   */
  public static TowerInput of(
      NDManager owner, VisionSpec vision, List<ImagePatches> pictures, long[] wanted) {
    List<ImageGrid> grids = pictures.stream().map(ImagePatches::grid).toList();
    PatchOrder order = PatchOrder.of(vision, grids);
    LearnedPositions learned = LearnedPositions.of(vision, grids);
    int four = learned.corners().length / 4;
    long[] places = order.places();
    int patches = order.rows().length;
    NDManager host = Device.host(owner);
    Shape angles = new Shape(patches, 1, vision.headSize() / 2);
    return new TowerInput(
        HostTransfer.floats(
            owner,
            new Shape(patches, vision.patchSize()),
            pictures.stream().map(ImagePatches::values).toList()),
        owner.create(order.squares()),
        owner.create(Arrays.stream(wanted).map(number -> places[(int) number]).toArray()),
        host.create(order.windows()),
        host.create(order.wholes()),
        HostTransfer.floats(owner, angles, List.of(order.angles(true))),
        HostTransfer.floats(owner, angles, List.of(order.angles(false))),
        owner.create(learned.corners(), new Shape(4, four)),
        owner.create(learned.shares(), new Shape(4, four, 1)));
  }

  /**
   * Returns the arguments of a kernel: {@code first}, all tensors but the patches, {@code last}.
   */
  Object[] arguments(List<NDArray> first, Object... last) {
    return Stream.of(
            first.stream(),
            Stream.of(squares, back, windows, wholes, cos, sin, corners, shares),
            Arrays.stream(last))
        .flatMap(part -> part)
        .toArray();
  }
}
