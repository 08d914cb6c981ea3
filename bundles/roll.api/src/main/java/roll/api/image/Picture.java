package roll.api.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/**
 * An encoded picture: JPEG, PNG, GIF or WebP, or any bytes that claim to be one. It is decoded by
 * the image processor. Pictures with the same bytes are equal.
 */
public final class Picture {
  private final byte[] data;
  private final String digest;

  private Picture(byte[] data) {
    this.data = data;
    this.digest = digest(data);
  }

  /** Creates a picture from encoded bytes, which are not checked. */
  public static Picture of(byte[] encoded) {
    return new Picture(encoded.clone());
  }

  /** Encodes {@code image} as PNG: the same pixels give the same picture. */
  public static Picture png(BufferedImage image) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, "png", bytes)) {
        throw new IllegalArgumentException("cannot be encoded as PNG: " + image);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return new Picture(bytes.toByteArray());
  }

  private static String digest(byte[] data) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** A copy of the encoded picture. */
  public byte[] data() {
    return data.clone();
  }

  /** Size of the encoded picture in bytes. */
  public int size() {
    return data.length;
  }

  /** SHA-256 of the encoded picture in hexadecimal, its name in files. */
  public String digest() {
    return digest;
  }

  /** File extension by the first bytes: {@code png}, {@code jpg} …, or {@code bin} if unknown. */
  public String extension() {
    if (begins("\u0089PNG", 0)) {
      return "png";
    }
    if (begins("\u00ff\u00d8\u00ff", 0)) {
      return "jpg";
    }
    if (begins("GIF8", 0)) {
      return "gif";
    }
    return begins("RIFF", 0) && begins("WEBP", 8) ? "webp" : "bin";
  }

  private boolean begins(String bytes, int from) {
    if (data.length < from + bytes.length()) {
      return false;
    }
    for (int i = 0; i < bytes.length(); i++) {
      if ((data[from + i] & 0xff) != bytes.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Picture picture && Arrays.equals(data, picture.data);
  }

  @Override
  public int hashCode() {
    return digest.hashCode();
  }

  @Override
  public String toString() {
    return digest.substring(0, 12) + "." + extension();
  }
}
