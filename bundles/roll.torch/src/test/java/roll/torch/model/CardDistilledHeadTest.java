package roll.torch.model;

import roll.testkit.WrittenFlash;
import roll.torch.CardOperators;
import roll.torch.Device;

/** The same by the kernel texts for cards. */
final class CardDistilledHeadTest extends DistilledHeadTest {
  @Override
  Device device() {
    return Device.cpuWithCardTexts(
        1, new CardOperators(WrittenFlash.source(), WrittenFlash.wideProduct(), null), null);
  }
}
