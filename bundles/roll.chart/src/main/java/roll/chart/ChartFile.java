package roll.chart;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import roll.api.option.UserException;

/** Writes pictures into files. */
public final class ChartFile {
  private ChartFile() {}

  /**
   * Writes {@code image} as PNG and renames it to {@code file}, so that viewers never see an
   * incomplete picture.
   *
   * @throws UserException if it cannot be written
   */
  public static void write(Path file, BufferedImage image) {
    Path beside = file.resolveSibling("." + file.getFileName());
    try {
      // for a file that cannot be opened, ImageIO would print a stack trace
      ByteArrayOutputStream png = new ByteArrayOutputStream();
      ImageIO.write(image, "png", new MemoryCacheImageOutputStream(png));
      Files.deleteIfExists(beside);
      Files.write(beside, png.toByteArray(), StandardOpenOption.CREATE_NEW);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }
}
