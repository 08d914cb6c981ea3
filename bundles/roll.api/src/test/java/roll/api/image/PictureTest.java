package roll.api.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class PictureTest {
  @Test
  void theSamePixelsAreTheSamePicture() throws Exception {
    Picture red = Picture.png(filled(0xff0000));
    assertEquals(red, Picture.png(filled(0xff0000)));
    assertEquals(red.hashCode(), Picture.of(red.data()).hashCode());
    assertNotEquals(red, Picture.png(filled(0x0000ff)));
    BufferedImage again = ImageIO.read(new ByteArrayInputStream(red.data()));
    assertEquals(0xffff0000, again.getRGB(2, 1));
    assertEquals(red.data().length, red.size());
  }

  @Test
  void nobodyChangesIt() {
    byte[] given = {1, 2, 3};
    Picture picture = Picture.of(given);
    given[0] = 9;
    picture.data()[1] = 9;
    assertArrayEquals(new byte[] {1, 2, 3}, picture.data());
    // sha256sum of these three bytes
    assertEquals(
        "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81", picture.digest());
  }

  @Test
  void itsFirstBytesSayWhatItIs() {
    assertEquals("png", Picture.png(filled(0)).extension());
    assertEquals("jpg", latin("\u00ff\u00d8\u00ff\u00e0").extension());
    assertEquals("gif", latin("GIF89a").extension());
    assertEquals("webp", latin("RIFF\0\0\0\0WEBP").extension());
    assertEquals("bin", latin("RIFF\0\0\0\0WAVE").extension());
    assertEquals("bin", latin("").extension());
  }

  private static Picture latin(String bytes) {
    return Picture.of(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static BufferedImage filled(int rgb) {
    BufferedImage image = new BufferedImage(4, 3, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 12; i++) {
      image.setRGB(i % 4, i / 4, rgb);
    }
    return image;
  }
}
