package roll.core.trajectory;

import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.image.Picture;
import roll.core.output.IoReason;

/**
 * The pictures of the trajectories in a folder, {@code pictures/<digest>.png} and the like beside
 * their lines: each is written once, however often it was seen. Used by one thread.
 */
public final class PictureFiles {
  private static final Pattern NAME = Pattern.compile("pictures/([0-9a-f]{64})\\.[a-z]{3,4}");

  private final Path folder;
  private final Map<String, Picture> known = new HashMap<>();

  /** The pictures of the trajectories in {@code folder}. */
  public PictureFiles(Path folder) {
    this.folder = folder;
  }

  /** Returns the file name of {@code picture}, by which trajectory lines refer to it. */
  static String name(Picture picture) {
    return "pictures/" + picture.digest() + "." + picture.extension();
  }

  /** Writes the pictures of {@code trajectory} that are not in the folder yet. */
  void write(Trajectory trajectory) throws IOException {
    for (Picture picture : Message.pictures(trajectory.messages())) {
      write(picture);
    }
    for (Sequence sequence : trajectory.sequences()) {
      for (Picture picture : sequence.pictures()) {
        write(picture);
      }
    }
  }

  private void write(Picture picture) throws IOException {
    String name = name(picture);
    if (known.put(name, picture) != null) {
      return;
    }
    Path file = folder.resolve(name);
    if (Files.exists(file) && Files.size(file) == picture.size()) {
      return;
    }
    Path beside = file.resolveSibling("." + file.getFileName() + ".tmp");
    Files.createDirectories(file.resolveSibling(""));
    Files.write(beside, picture.data());
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Reads the picture from the file that a trajectory line calls {@code name}.
   *
   * @throws JsonParseException if there is none, or it is not what it was
   */
  public Picture read(String name) {
    var named = NAME.matcher(name);
    if (!named.matches()) {
      throw new JsonParseException(
          "'" + name + "' names no picture (pictures/, its SHA-256, its ending)");
    }
    return known.computeIfAbsent(name, unused -> picture(name, named.group(1)));
  }

  private Picture picture(String name, String digest) {
    Path file = folder.resolve(name);
    try {
      Picture picture = Picture.of(Files.readAllBytes(file));
      if (picture.digest().equals(digest)) {
        return picture;
      }
    } catch (IOException e) {
      throw new JsonParseException(
          "the picture " + file + " cannot be read (" + IoReason.of(e) + ")", e);
    }
    throw new JsonParseException("the picture " + file + " is not the one that was written");
  }

  /** Reads several pictures from files. */
  List<Picture> read(List<String> names) {
    return names.stream().map(this::read).toList();
  }
}
