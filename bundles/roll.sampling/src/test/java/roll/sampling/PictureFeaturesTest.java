package roll.sampling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static roll.testkit.FakeImageProcessor.picture;
import static roll.testkit.SmallDecoder.SPEC;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import roll.api.image.ImagePatches;
import roll.api.image.Picture;
import roll.api.memory.MemoryKind;
import roll.api.model.DecoderSpec;
import roll.sampling.PictureFeatures.Counts;
import roll.testkit.FakeImageProcessor;
import roll.torch.Device;
import roll.torch.MemoryLedger;
import roll.torch.vision.PicturePatches;

/** Hidden states of pictures, made by a tower that tells the pixels. */
final class PictureFeaturesTest {
  private static final int HIDDEN = 4;

  private static final Picture A = picture(1, 2, 5);
  private static final Picture B = picture(2, 2, 6);
  private static final Picture C = picture(1, 3, 7);

  private final Device device = new Device(() -> Engine.getEngine("PyTorch"), 1);
  private final MemoryLedger ledger = new MemoryLedger();
  private final FakeImageProcessor processor = new FakeImageProcessor();
  private final PictureFeatures features =
      new PictureFeatures(
          device,
          new PictureCatalog(
              FakeImageProcessor.VISION,
              new PicturePatches(FakeImageProcessor.VISION, () -> processor)),
          PictureFeaturesTest::tower,
          ledger,
          6 * HIDDEN * Float.BYTES);

  @AfterEach
  void close() {
    device.call(
        () -> {
          features.close();
          return 0;
        });
    device.close();
  }

  private static NDArray tower(NDManager owner, NDList weights, ImagePatches patches) {
    if (patches.values()[0] < 0) {
      throw new IllegalStateException("no memory");
    }
    return owner.full(new Shape(patches.tokens(), HIDDEN), patches.values()[0]);
  }

  private <T> T on(Callable<T> work) {
    return device.call(work);
  }

  /** The first number that the tower made of {@code picture}. */
  private float first(Picture picture, long version) {
    return on(() -> features.of(picture, new NDList(), version).toFloatArray()[0]);
  }

  private long held() {
    return ledger.peak(0).bytes().getOrDefault(MemoryKind.KV_CACHE, 0L);
  }

  @Test
  void aPictureIsComputedOnceAndVersion() {
    assertEquals(5, first(A, 1));
    assertEquals(6, first(B, 1));
    assertEquals(5, first(A, 1));
    assertEquals(new Counts(2, 1), features.counts());
    assertEquals(5, first(A, 2));
    assertEquals(6, first(B, 2));
    assertEquals(new Counts(2, 0), features.counts());
  }

  /** Features of two and four tokens fit into six; three more fit only without the four. */
  @Test
  void theOneThatWasNotAskedForTheLongestTimeGoes() {
    first(A, 1);
    first(B, 1);
    assertEquals(6 * HIDDEN * Float.BYTES, held());
    first(A, 1);
    first(C, 1);
    held();
    assertEquals(5 * HIDDEN * Float.BYTES, held());
    assertEquals(new Counts(3, 1), features.counts());
    assertEquals(5, first(A, 1));
    assertEquals(new Counts(0, 1), features.counts());
    assertEquals(6, first(B, 1));
    assertEquals(new Counts(1, 0), features.counts());
  }

  @Test
  void clearingFreesAll() {
    NDArray made = on(() -> features.of(A, new NDList(), 1));
    on(
        () -> {
          features.clear();
          return 0;
        });
    assertFalse(on(() -> made.getManager().isOpen()));
    held();
    assertEquals(0, held());
    assertEquals(5, first(A, 1));
  }

  /** The limit is what the sequences can contain, at most 256 MiB; 0 without vision. */
  @Test
  void theMostFollowsFromTheSequences() {
    assertEquals(0, PictureFeatures.most(SPEC, 8, 100));
    DecoderSpec seeing = SPEC.seeing(FakeImageProcessor.VISION);
    assertEquals(12 * 4 * 8 * 100, PictureFeatures.most(seeing, 8, 100));
    assertEquals(256 << 20, PictureFeatures.most(seeing, 1 << 15, 1 << 15));
  }

  @Test
  void whatTheTowerDoesNotMakeIsNotKept() {
    Picture odd = picture(1, 1, -3);
    assertThrows(IllegalStateException.class, () -> first(odd, 1));
    assertThrows(IllegalStateException.class, () -> first(odd, 1));
    assertEquals(0, held());
    assertEquals(new Counts(0, 0), features.counts());
  }
}
