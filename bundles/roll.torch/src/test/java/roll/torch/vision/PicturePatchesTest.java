package roll.torch.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static roll.testkit.UserErrors.userError;

import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.image.ImagePatches;
import roll.api.model.VisionSpec;
import roll.testkit.SmallVisionDecoder;

final class PicturePatchesTest {
  /** Returns four patches of 24 numbers. */
  private static final long ONE = 4 * 4 * 24;

  @Test
  void theLatestAreKept() {
    PicturePatches patches =
        new PicturePatches(SmallVisionDecoder.TOWER, SmallVisionDecoder::processor, 2 * ONE);
    ImagePatches first = patches.of(SmallVisionDecoder.picture(2, 2));
    assertSame(first, patches.of(SmallVisionDecoder.picture(2, 2)));
    ImagePatches second = patches.of(SmallVisionDecoder.picture(1, 4));
    assertSame(first, patches.of(SmallVisionDecoder.picture(2, 2)));
    var unused = patches.of(SmallVisionDecoder.picture(4, 1));
    assertSame(first, patches.of(SmallVisionDecoder.picture(2, 2)));
    assertNotSame(second, patches.of(SmallVisionDecoder.picture(1, 4)));
  }

  /** One that is larger than all room is kept until the next comes. */
  @Test
  void aLargeOneIsKeptAlone() {
    PicturePatches patches =
        new PicturePatches(SmallVisionDecoder.TOWER, SmallVisionDecoder::processor, ONE);
    ImagePatches large = patches.of(SmallVisionDecoder.picture(8, 8));
    assertSame(large, patches.of(SmallVisionDecoder.picture(8, 8)));
    var unused = patches.of(SmallVisionDecoder.picture(2, 2));
    assertNotSame(large, patches.of(SmallVisionDecoder.picture(8, 8)));
  }

  @Test
  void anotherProcessorIsRefused() {
    VisionSpec other = new VisionSpec(10, 11, 2, 16, 2, 12, 3, 2, 4, 2, 16, Set.of(1));
    PicturePatches patches = new PicturePatches(other, SmallVisionDecoder::processor);
    assertEquals(
        "preprocessor_config.json makes patches of 24 numbers and squares of 2, config.json wants"
            + " 96 and 2",
        userError(() -> patches.of(SmallVisionDecoder.picture(2, 2))));
  }
}
