package roll.shell.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import roll.api.data.Message;
import roll.api.image.Picture;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.shell.command.Arguments;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.UserPath;

/** The option {@code --image} of commands that show a model pictures. */
final class ImageOption {
  /** The option with the picture files. */
  static final Option IMAGE =
      Option.any("--image", "file", "show this picture before the text: JPEG, PNG, GIF or WebP");

  private ImageOption() {}

  /**
   * Returns the pictures of {@link #IMAGE}, in order.
   *
   * @param command for the message
   * @throws UserException if a file cannot be read or is no picture
   */
  static List<Picture> of(String command, CommandSession session, Arguments given) {
    List<Picture> pictures = new ArrayList<>();
    for (String name : given.texts(IMAGE.name())) {
      Path file = UserPath.of(session, name);
      if (!Files.isRegularFile(file)) {
        throw new UserException("%s: --image: no file '%s'".formatted(command, file));
      }
      try {
        pictures.add(Picture.of(PlainFile.bytes(file)));
      } catch (IOException e) {
        throw new UserException("%s: --image: '%s' cannot be read".formatted(command, file), e);
      }
      if (pictures.getLast().extension().equals("bin")) {
        throw new UserException(
            "%s: --image: '%s' is not a picture (allowed: JPEG, PNG, GIF, WebP)"
                .formatted(command, file));
      }
    }
    return List.copyOf(pictures);
  }

  /** Returns a user message with {@code pictures} before {@code text}. */
  static Message message(List<Picture> pictures, String text) {
    Message message = new Message("user", text);
    for (Picture picture : pictures.reversed()) {
      message = message.showing(picture);
    }
    return message;
  }
}
