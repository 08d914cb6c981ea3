package roll.core.trajectory;

import java.awt.image.BufferedImage;
import java.awt.image.RenderedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import roll.core.output.FolderTree;

/** Writes episodes as animated GIFs. */
public final class EpisodeGifs {
  private static final int HUNDREDTHS_A_FRAME = 60;
  private static final int HUNDREDTHS_AT_THE_END = 180;

  private EpisodeGifs() {}

  /** Replaces {@code folder} by one GIF per episode, named as the episode is. */
  public static void write(Path folder, Map<String, List<BufferedImage>> episodes)
      throws IOException {
    FolderTree.delete(folder);
    Files.createDirectories(folder);
    for (var episode : episodes.entrySet()) {
      gif(folder.resolve(episode.getKey() + ".gif"), episode.getValue());
    }
  }

  private static void gif(Path file, List<BufferedImage> frames) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersBySuffix("gif").next();
    // a file that cannot be opened ImageIO would report with a stack trace of its own
    try (OutputStream bytes = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
        ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      writer.setOutput(out);
      writer.prepareWriteSequence(null);
      for (int i = 0; i < frames.size(); i++) {
        boolean last = i == frames.size() - 1;
        RenderedImage image = frames.get(i);
        IIOMetadata metadata =
            writer.getDefaultImageMetadata(
                ImageTypeSpecifier.createFromRenderedImage(image), writer.getDefaultWriteParam());
        describe(metadata, last ? HUNDREDTHS_AT_THE_END : HUNDREDTHS_A_FRAME);
        writer.writeToSequence(new IIOImage(image, null, metadata), writer.getDefaultWriteParam());
      }
      writer.endWriteSequence();
    } finally {
      writer.dispose();
    }
  }

  /** Sets how long the frame is shown and that the animation repeats for ever. */
  private static void describe(IIOMetadata metadata, int hundredths) throws IOException {
    String format = metadata.getNativeMetadataFormatName();
    IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(format);
    IIOMetadataNode control = child(root, "GraphicControlExtension");
    control.setAttribute("disposalMethod", "none");
    control.setAttribute("userInputFlag", "FALSE");
    control.setAttribute("transparentColorFlag", "FALSE");
    control.setAttribute("delayTime", String.valueOf(hundredths));
    control.setAttribute("transparentColorIndex", "0");
    IIOMetadataNode repeat = new IIOMetadataNode("ApplicationExtension");
    repeat.setAttribute("applicationID", "NETSCAPE");
    repeat.setAttribute("authenticationCode", "2.0");
    repeat.setUserObject(new byte[] {1, 0, 0});
    child(root, "ApplicationExtensions").appendChild(repeat);
    metadata.setFromTree(format, root);
  }

  private static IIOMetadataNode child(IIOMetadataNode root, String name) {
    for (int i = 0; i < root.getLength(); i++) {
      if (root.item(i) instanceof IIOMetadataNode node && node.getNodeName().equals(name)) {
        return node;
      }
    }
    IIOMetadataNode node = new IIOMetadataNode(name);
    root.appendChild(node);
    return node;
  }
}
